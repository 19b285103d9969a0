//! A thread receives one message and ends.

use std::{sync::mpsc, thread};

// A receiver that has ended is expected, and its answer is looked at.
fn main() {
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || receiver.recv().unwrap());
    sender.send(1).unwrap();
    let is_late = sender.send(2).is_err();
    assert!(is_late || sender.send(3).is_ok() || sender.send(4).is_err());
    assert_eq!(reader.join().unwrap(), 1);
}
