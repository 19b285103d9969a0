//! Two threads that announce that they want to go in, each by a flag of its own.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static LEFT: AtomicBool = AtomicBool::new(false);
static RIGHT: AtomicBool = AtomicBool::new(false);

fn pass(own: &AtomicBool, other: &AtomicBool) {
    own.store(true, Ordering::SeqCst);
    while other.load(Ordering::SeqCst) { //~ livelock
        thread::yield_now();
    }
    own.store(false, Ordering::SeqCst);
}

// If both announce themselves, each waits for the other one to withdraw.
fn main() {
    let other = thread::spawn(|| pass(&RIGHT, &LEFT));
    pass(&LEFT, &RIGHT);
    other.join().unwrap();
}
