//! A table that is shortened while somebody reads its last row.

use std::{
    sync::{Arc, RwLock},
    thread,
};

// The index is chosen and used under one lock.
fn main() {
    let rows = Arc::new(RwLock::new(vec![1, 2, 3]));
    let shared = rows.clone();
    let cleaner = thread::spawn(move || shared.write().unwrap().truncate(1));
    let guard = rows.read().unwrap();
    let row = guard[guard.len() - 1];
    drop(guard);
    assert!(row > 0);
    cleaner.join().unwrap();
}
