use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[derive(Default)]
struct Statistics {
    requests: AtomicU64,
    largest: AtomicU64,
}

// Relaxed counters are atomic, and `join` orders the last look at them.
fn main() {
    let statistics = Arc::new(Statistics::default());
    let servers = [10, 20, 30].map(|size| {
        let statistics = statistics.clone();
        thread::spawn(move || {
            statistics.requests.fetch_add(1, Ordering::Relaxed);
            statistics.largest.fetch_max(size, Ordering::Relaxed);
        })
    });
    println!("{}", statistics.requests.load(Ordering::Relaxed) <= 3);
    for server in servers {
        server.join().unwrap();
    }
    let statistics = Arc::into_inner(statistics).unwrap();
    println!("{} {}", statistics.requests.into_inner(), statistics.largest.into_inner());
}
