//! A worker that fails on purpose when its work is done.

use std::{sync::mpsc, thread};

// The worker panics under every schedule, unless the end of `main` cuts it off before.
fn main() {
    let (sender, receiver) = mpsc::sync_channel(0);
    thread::spawn(move || {
        sender.send(1).unwrap();
        panic!("done");
    });
    assert_eq!(receiver.recv().unwrap(), 1);
}
