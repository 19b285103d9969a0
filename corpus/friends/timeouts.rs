use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

// Every wait has an end of its own, although nobody notifies, sends or wakes.
fn main() {
    let (lock, changed) = (Mutex::new(false), Condvar::new());
    let (_guard, result) = changed.wait_timeout(lock.lock().unwrap(), Duration::from_millis(5)).unwrap();
    println!("{}", result.timed_out());
    let (sender, receiver) = mpsc::channel::<u32>();
    println!("{:?}", receiver.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout));
    drop(sender);
    thread::park_timeout(Duration::from_millis(5));
    thread::sleep(Duration::from_millis(5));
    println!("{:?}", receiver.recv());
}
