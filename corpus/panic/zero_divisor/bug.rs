//! A mean is computed of counters that are reset from time to time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

#[derive(Default)]
struct Statistics {
    sum: AtomicU64,
    count: AtomicU64,
}

impl Statistics {
    fn mean(&self) -> u64 {
        if self.count.load(Ordering::SeqCst) == 0 {
            return 0;
        }
        self.sum.load(Ordering::SeqCst) / self.count.load(Ordering::SeqCst) //~ schedule-dependent-panic
    }
}

// The count is read twice, and may have become zero after it was compared with zero.
fn main() {
    let statistics = Arc::new(Statistics::default());
    statistics.sum.store(10, Ordering::SeqCst);
    statistics.count.store(2, Ordering::SeqCst);
    let shared = statistics.clone();
    let reset = thread::spawn(move || {
        shared.sum.store(0, Ordering::SeqCst);
        shared.count.store(0, Ordering::SeqCst);
    });
    assert!(statistics.mean() <= 5);
    reset.join().unwrap();
}
