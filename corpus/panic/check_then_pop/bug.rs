//! A work list that two workers empty.

use std::{
    sync::{Arc, Mutex},
    thread,
};

// The list is looked at and emptied under two separate locks, so the last job may be gone in between.
fn main() {
    let jobs = Arc::new(Mutex::new(vec![1, 2, 3]));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let jobs = jobs.clone();
            thread::spawn(move || {
                let mut sum = 0;
                while !jobs.lock().unwrap().is_empty() {
                    sum += jobs.lock().unwrap().pop().unwrap(); //~ schedule-dependent-panic
                }
                sum
            })
        })
        .collect();
    let sum: i32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert_eq!(sum, 6);
}
