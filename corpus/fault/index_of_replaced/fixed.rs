//! A table of weights that is replaced by a shorter one.

use std::{
    sync::{Arc, RwLock},
    thread,
};

// Length and element are those of one table.
fn main() {
    let table: Arc<RwLock<Box<[u64]>>> = Arc::new(RwLock::new(vec![1, 2, 3, 4].into()));
    let shared = table.clone();
    let reader = thread::spawn(move || {
        let table = shared.read().unwrap();
        let last = table.len() - 1;
        unsafe { *table.get_unchecked(last) }
    });
    *table.write().unwrap() = vec![5].into();
    assert!(matches!(reader.join().unwrap(), 4 | 5));
}
