//! Two threads count.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

// The counter is read and written by two separate atomic operations, so an increment may be lost.
fn main() {
    let counter = Arc::new(AtomicU32::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let counter = counter.clone();
            thread::spawn(move || {
                let count = counter.load(Ordering::SeqCst);
                counter.store(count + 1, Ordering::SeqCst);
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(counter.load(Ordering::SeqCst), 2); //~ schedule-dependent-panic
}
