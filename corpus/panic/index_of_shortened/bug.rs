//! A table that is shortened while somebody reads its last row.

use std::{
    sync::{Arc, RwLock},
    thread,
};

// The index is chosen under one lock and used under another, after the list may have become shorter.
fn main() {
    let rows = Arc::new(RwLock::new(vec![1, 2, 3]));
    let shared = rows.clone();
    let cleaner = thread::spawn(move || shared.write().unwrap().truncate(1));
    let last = rows.read().unwrap().len() - 1;
    let row = rows.read().unwrap()[last]; //~ schedule-dependent-panic
    assert!(row > 0);
    cleaner.join().unwrap();
}
