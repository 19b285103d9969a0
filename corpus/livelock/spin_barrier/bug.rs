//! A barrier made of a counter.

use std::{
    hint,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static ARRIVED: AtomicUsize = AtomicUsize::new(0);

fn meet() {
    let arrived = ARRIVED.load(Ordering::SeqCst);
    ARRIVED.store(arrived + 1, Ordering::SeqCst);
    while ARRIVED.load(Ordering::SeqCst) < 2 { //~ livelock
        hint::spin_loop();
    }
}

// Two threads may both count themselves as the first one, and wait for the second.
fn main() {
    let other = thread::spawn(meet);
    meet();
    other.join().unwrap();
}
