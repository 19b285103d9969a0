//! Workers that count themselves out, and a `main` that polls until none is left.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

// A worker that finds no job leaves without counting itself out.
fn main() {
    let jobs = Arc::new(Mutex::new(vec![1, 2]));
    let left = Arc::new(AtomicUsize::new(2));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let (jobs, left) = (Arc::clone(&jobs), Arc::clone(&left));
            thread::spawn(move || {
                let mut done = 0;
                loop {
                    let Some(job) = jobs.lock().unwrap().pop() else { break };
                    done += job;
                }
                if done > 0 {
                    left.fetch_sub(1, Ordering::AcqRel);
                }
            })
        })
        .collect();
    while left.load(Ordering::Acquire) > 0 { //~ livelock
        thread::yield_now();
    }
    for worker in workers {
        worker.join().unwrap();
    }
}
