//! Two clerks sell the last seat.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

// A clerk looks whether a seat is free and takes it in two steps, so both may sell the same one.
fn main() {
    let sold = Arc::new(AtomicU32::new(0));
    let sell = |sold: &AtomicU32| {
        if sold.load(Ordering::SeqCst) < 1 {
            sold.fetch_add(1, Ordering::SeqCst);
        }
    };
    let shared = sold.clone();
    let other = thread::spawn(move || sell(&shared));
    sell(&sold);
    other.join().unwrap();
    assert!(sold.load(Ordering::SeqCst) <= 1, "a seat was sold twice"); //~ schedule-dependent-panic
}
