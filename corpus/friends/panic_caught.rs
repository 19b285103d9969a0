//! A job that fails is counted.

use std::{
    panic::catch_unwind,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

// The job panics if the flag is not yet set, and the pool catches that.
fn main() {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    let worker = thread::spawn(move || catch_unwind(|| assert!(shared.load(Ordering::SeqCst))).is_err());
    flag.store(true, Ordering::SeqCst);
    let has_failed = worker.join().unwrap();
    assert!(has_failed || flag.load(Ordering::SeqCst));
}
