//! A buffer that is handed to a worker, which takes it out of its `Arc`.

use std::{
    sync::{Arc, mpsc},
    thread,
};

// The sender's own `Arc` may still be there when the worker wants to be the only owner.
fn main() {
    let (sender, receiver) = mpsc::channel::<Arc<Vec<u32>>>();
    let worker = thread::spawn(move || {
        let buffer = receiver.recv().unwrap();
        Arc::try_unwrap(buffer).unwrap().len() //~ schedule-dependent-panic
    });
    let buffer = Arc::new(vec![1, 2]);
    sender.send(buffer.clone()).unwrap();
    drop(buffer);
    assert_eq!(worker.join().unwrap(), 2);
}
