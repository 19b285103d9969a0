use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Counter {
    next: AtomicUsize,
    serving: AtomicUsize,
    total: UnsafeCell<usize>,
}

unsafe impl Sync for Counter {}

impl Counter {
    fn serve(&self, amount: usize) {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        while self.serving.load(Ordering::Acquire) != ticket {
            thread::yield_now();
        }
        unsafe { *self.total.get() += amount };
        self.serving.store(ticket + 1, Ordering::Release);
    }
}

// Whoever has the ticket being served is alone, and sees what the one before has done.
fn main() {
    let counter = Counter { next: AtomicUsize::new(0), serving: AtomicUsize::new(0), total: UnsafeCell::new(0) };
    thread::scope(|scope| {
        for amount in 1..4 {
            let counter = &counter;
            scope.spawn(move || counter.serve(amount));
        }
    });
    println!("{}", counter.total.into_inner());
}
