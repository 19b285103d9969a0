use std::env;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

static DONE: AtomicU64 = AtomicU64::new(0);

// With two workers or more, all of them add to the same plain counter.
fn main() {
    let workers: u64 = env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(1);
    let handles: Vec<_> = (0..workers)
        .map(|worker| {
            thread::spawn(move || {
                let done = worker + 1;
                DONE.fetch_add(done, Ordering::Relaxed);
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
    println!("{}", DONE.load(Ordering::Relaxed));
}
