use std::cell::UnsafeCell;
use std::sync::{Condvar, Mutex};
use std::thread;

struct Printer {
    busy: Mutex<bool>,
    free: Condvar,
    page: UnsafeCell<u32>,
}

unsafe impl Sync for Printer {}

static PRINTER: Printer = Printer { busy: Mutex::new(false), free: Condvar::new(), page: UnsafeCell::new(0) };

fn print(number: u32) {
    let mut busy = PRINTER.busy.lock().unwrap();
    if *busy {
        busy = PRINTER.free.wait(busy).unwrap();
    }
    *busy = true;
    drop(busy);
    unsafe { *PRINTER.page.get() += number }; //~ data-race
    *PRINTER.busy.lock().unwrap() = false;
    PRINTER.free.notify_all();
}

// A woken thread does not read the flag again, and the printer may be busy once more.
fn main() {
    let users = [1, 2, 3].map(|number| thread::spawn(move || print(number)));
    for user in users {
        user.join().unwrap();
    }
    println!("{}", unsafe { *PRINTER.page.get() });
}
