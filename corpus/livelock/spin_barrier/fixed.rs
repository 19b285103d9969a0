//! A barrier made of a counter.

use std::{
    hint,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static ARRIVED: AtomicUsize = AtomicUsize::new(0);

fn meet() {
    ARRIVED.fetch_add(1, Ordering::SeqCst);
    while ARRIVED.load(Ordering::SeqCst) < 2 {
        hint::spin_loop();
    }
}

// Each thread counts itself in one step.
fn main() {
    let other = thread::spawn(meet);
    meet();
    other.join().unwrap();
}
