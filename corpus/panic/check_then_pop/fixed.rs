//! A work list that two workers empty.

use std::{
    sync::{Arc, Mutex},
    thread,
};

// The list is looked at and emptied under one lock.
fn main() {
    let jobs = Arc::new(Mutex::new(vec![1, 2, 3]));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let jobs = jobs.clone();
            thread::spawn(move || {
                let mut sum = 0;
                while let Some(job) = jobs.lock().unwrap().pop() {
                    sum += job;
                }
                sum
            })
        })
        .collect();
    let sum: i32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    assert_eq!(sum, 6);
}
