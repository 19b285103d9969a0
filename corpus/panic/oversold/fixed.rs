//! Two clerks sell the last seat.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

// A clerk takes a seat by one operation that fails if none is free.
fn main() {
    let sold = Arc::new(AtomicU32::new(0));
    let sell = |sold: &AtomicU32| {
        let free = |count| (count < 1).then_some(count + 1);
        sold.fetch_update(Ordering::SeqCst, Ordering::SeqCst, free).is_ok()
    };
    let shared = sold.clone();
    let other = thread::spawn(move || sell(&shared));
    let one = sell(&sold);
    let two = other.join().unwrap();
    assert!(one != two);
    assert!(sold.load(Ordering::SeqCst) <= 1, "a seat was sold twice");
}
