//! A writer that commits, and a reader that recovers what was committed.

use std::{
    process,
    sync::{Arc, Mutex},
    thread,
};

#[derive(Default)]
struct Store {
    committed: Mutex<usize>,
    records: Mutex<Vec<u32>>,
}

// The record is written before the number of records is committed.
fn main() {
    let store = Arc::new(Store::default());
    let own = Arc::clone(&store);
    let writer = thread::spawn(move || {
        own.records.lock().unwrap().push(7);
        *own.committed.lock().unwrap() += 1;
    });
    let committed = *store.committed.lock().unwrap();
    let found = store.records.lock().unwrap().len();
    let is_torn = found < committed;
    writer.join().unwrap();
    process::exit(i32::from(is_torn));
}
