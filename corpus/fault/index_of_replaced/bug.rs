//! A table of weights that is replaced by a shorter one.

use std::{
    sync::{Arc, RwLock},
    thread,
};

// The index is that of the table before.
fn main() {
    let table: Arc<RwLock<Box<[u64]>>> = Arc::new(RwLock::new(vec![1, 2, 3, 4].into()));
    let shared = table.clone();
    let reader = thread::spawn(move || {
        let last = shared.read().unwrap().len() - 1;
        let table = shared.read().unwrap();
        unsafe { *table.get_unchecked(last) } //~ schedule-dependent-fault
    });
    *table.write().unwrap() = vec![5].into();
    assert!(matches!(reader.join().unwrap(), 4 | 5));
}
