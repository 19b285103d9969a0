//! A list is shared with a thread and then taken out of its share.

use std::{sync::Arc, thread};

// The owner counts on being the last one while the other thread may still have its share.
fn main() {
    let list = Arc::new(vec![1, 2]);
    let shared = list.clone();
    let worker = thread::spawn(move || shared.len());
    let list = Arc::try_unwrap(list).unwrap(); //~ schedule-dependent-panic
    worker.join().unwrap();
    assert_eq!(list.len(), 2);
}
