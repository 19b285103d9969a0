//! A thread receives one message and ends.

use std::{sync::mpsc, thread};

// The receiver may have ended before the last message is sent.
fn main() {
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || receiver.recv().unwrap());
    sender.send(1).unwrap();
    sender.send(2).unwrap(); //~ schedule-dependent-panic
    assert_eq!(reader.join().unwrap(), 1);
}
