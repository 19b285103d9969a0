//! A lock of two counters, whose waiters spin.

use std::{
    hint,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static NEXT: AtomicUsize = AtomicUsize::new(0);
static SERVED: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);

// Each waiter has a number of its own, and the holder always calls the next one.
fn main() {
    let threads: Vec<_> = (0..3)
        .map(|_| {
            thread::spawn(|| {
                let own = NEXT.fetch_add(1, Ordering::Relaxed);
                while SERVED.load(Ordering::Acquire) != own {
                    hint::spin_loop();
                }
                let total = TOTAL.load(Ordering::Relaxed);
                TOTAL.store(total + 1, Ordering::Relaxed);
                SERVED.store(own + 1, Ordering::Release);
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(TOTAL.load(Ordering::Relaxed), 3);
}
