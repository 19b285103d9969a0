use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

// The waiter is there after ten milliseconds, the only notification comes after a hundred more, and has its own flag.
fn main() {
    let signal = Arc::new((Mutex::new(false), Condvar::new()));
    let waiter = thread::spawn({
        let signal = signal.clone();
        move || {
            thread::sleep(Duration::from_millis(10));
            let (open, changed) = &*signal;
            let mut open = open.lock().unwrap();
            while !*open {
                open = changed.wait(open).unwrap();
            }
            *open
        }
    });
    thread::sleep(Duration::from_millis(110));
    let (open, changed) = &*signal;
    *open.lock().unwrap() = true;
    thread::sleep(Duration::from_millis(10));
    // Without the lock, as the flag was set under it.
    changed.notify_one();
    println!("{}", waiter.join().unwrap());
}
