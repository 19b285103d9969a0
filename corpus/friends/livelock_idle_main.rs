//! A `main` that has nothing to do until a thread ends the process.

use std::{process, sync::mpsc, thread};

// The loop asks for nothing and never ends by itself; the other thread ends it.
fn main() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        receiver.recv().unwrap();
        process::exit(0);
    });
    sender.send(()).unwrap();
    loop {
        thread::yield_now();
    }
}
