//! A computation is cancelled by a panic of its own.

use std::{
    panic::{catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Thrown by a computation that is cancelled.
struct Cancelled;

// Whether the computation is cancelled depends on the schedule, and its caller tells that panic from others.
fn main() {
    let cancel = Arc::new(AtomicBool::new(false));
    let shared = cancel.clone();
    let worker = thread::spawn(move || {
        let work = || {
            let mut sum = 0;
            for number in 0..3 {
                if shared.load(Ordering::SeqCst) {
                    resume_unwind(Box::new(Cancelled));
                }
                sum += number;
            }
            sum
        };
        match catch_unwind(std::panic::AssertUnwindSafe(work)) {
            Ok(sum) => Some(sum),
            Err(payload) if payload.is::<Cancelled>() => None,
            Err(payload) => resume_unwind(payload),
        }
    });
    cancel.store(true, Ordering::SeqCst);
    assert!(worker.join().unwrap().is_none_or(|sum| sum == 3));
}
