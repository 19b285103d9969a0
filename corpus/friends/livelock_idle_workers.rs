//! Workers that poll a queue and a flag.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

// The workers spin while there is nothing to do; `main` sets the flag at the end.
fn main() {
    let queue = Arc::new(Mutex::new(VecDeque::new()));
    let stops = Arc::new(AtomicBool::new(false));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let (queue, stops) = (Arc::clone(&queue), Arc::clone(&stops));
            thread::spawn(move || {
                let mut sum = 0;
                loop {
                    // The flag first: what was queued before it was set is not lost.
                    let is_last = stops.load(Ordering::Acquire);
                    let job = queue.lock().unwrap().pop_front();
                    match job {
                        Some(job) => sum += job,
                        None if is_last => return sum,
                        None => thread::yield_now(),
                    }
                }
            })
        })
        .collect();
    for job in 1..=3 {
        queue.lock().unwrap().push_back(job);
    }
    stops.store(true, Ordering::Release);
    let sum: u32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert_eq!(sum, 6);
}
