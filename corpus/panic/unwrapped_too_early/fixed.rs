//! A list is shared with a thread and then taken out of its share.

use std::{sync::Arc, thread};

// The owner waits for the other thread, which then has no share any more.
fn main() {
    let list = Arc::new(vec![1, 2]);
    let shared = list.clone();
    let worker = thread::spawn(move || shared.len());
    worker.join().unwrap();
    let list = Arc::try_unwrap(list).unwrap();
    assert_eq!(list.len(), 2);
}
