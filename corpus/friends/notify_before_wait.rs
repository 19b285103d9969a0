use std::sync::{Condvar, Mutex};
use std::thread;

static DONE: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

// The notification may come before the wait, which then does not happen.
fn main() {
    let worker = thread::spawn(|| {
        *DONE.lock().unwrap() = true;
        CHANGED.notify_all();
    });
    let mut done = DONE.lock().unwrap();
    while !*done {
        done = CHANGED.wait(done).unwrap();
    }
    println!("{done}");
    drop(done);
    worker.join().unwrap();
}
