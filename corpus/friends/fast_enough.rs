use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

// That a sum takes less than a millisecond depends on the machine, not on the order of the threads.
fn main() {
    let sum = Mutex::new(0u64);
    let start = Instant::now();
    thread::scope(|scope| {
        for part in 0..3 {
            scope.spawn({
                let sum = &sum;
                move || {
                    let own = Instant::now();
                    *sum.lock().unwrap() += part;
                    assert!(own.elapsed() < Duration::from_millis(1), "too slow");
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_micros(500), "too slow");
    println!("{}", sum.into_inner().unwrap());
}
