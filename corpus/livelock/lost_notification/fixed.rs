//! A worker that may miss the only notification, beside a `main` that polls a flag.

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

#[derive(Default)]
struct Job {
    ready: Mutex<bool>,
    changed: Condvar,
    done: AtomicBool,
}

// The worker checks and waits under one lock.
fn main() {
    let job = Arc::new(Job::default());
    let own = Arc::clone(&job);
    let worker = thread::spawn(move || {
        let mut ready = own.ready.lock().unwrap();
        while !*ready {
            ready = own.changed.wait(ready).unwrap();
        }
        drop(ready);
        own.done.store(true, Ordering::Release);
    });
    *job.ready.lock().unwrap() = true;
    job.changed.notify_one();
    while !job.done.load(Ordering::Acquire) {
        thread::yield_now();
    }
    worker.join().unwrap();
}
