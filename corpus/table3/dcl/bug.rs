use std::sync::Mutex;
use std::{ptr, thread};

struct Singleton {
    value: u64,
}

static mut INSTANCE: *mut Singleton = ptr::null_mut();
static CREATION: Mutex<()> = Mutex::new(());

fn load() -> *mut Singleton {
    unsafe { INSTANCE } //~ data-race
}

fn store(instance: *mut Singleton) {
    unsafe { INSTANCE = instance } //~ data-race
}

fn instance() -> &'static Singleton {
    if load().is_null() {
        let _held = CREATION.lock().unwrap();
        if load().is_null() {
            let created = Box::new(Singleton { value: 42 }); //~ data-race 2
            store(Box::into_raw(created));
        }
    }
    unsafe { &*load() }
}

fn use_it() -> u64 {
    instance().value //~ data-race 2
}

// Double-checked locking whose first check reads the instance without any ordering.
fn main() {
    let workers = [thread::spawn(use_it), thread::spawn(use_it)];
    for worker in workers {
        println!("{}", worker.join().unwrap());
    }
}
