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
        let count = self.count.load(Ordering::SeqCst);
        self.sum.load(Ordering::SeqCst).checked_div(count).unwrap_or_default()
    }
}

// The count is read once, and what was read is not used as a divisor if it is zero.
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
