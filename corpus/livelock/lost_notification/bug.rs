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

// The worker checks and waits under two separate locks; if the notification comes in between, nobody sets `done`.
fn main() {
    let job = Arc::new(Job::default());
    let own = Arc::clone(&job);
    let worker = thread::spawn(move || {
        let is_ready = *own.ready.lock().unwrap();
        if !is_ready {
            let ready = own.ready.lock().unwrap();
            drop(own.changed.wait(ready).unwrap());
        }
        own.done.store(true, Ordering::Release);
    });
    *job.ready.lock().unwrap() = true;
    job.changed.notify_one();
    while !job.done.load(Ordering::Acquire) { //~ livelock
        thread::yield_now();
    }
    worker.join().unwrap();
}
