//! Two threads that announce that they want to go in, each by a flag of its own.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static LEFT: AtomicBool = AtomicBool::new(false);
static RIGHT: AtomicBool = AtomicBool::new(false);

static TURN: AtomicBool = AtomicBool::new(false);

fn pass(own: &AtomicBool, other: &AtomicBool, is_left: bool) {
    own.store(true, Ordering::SeqCst);
    TURN.store(is_left, Ordering::SeqCst);
    while other.load(Ordering::SeqCst) && TURN.load(Ordering::SeqCst) == is_left {
        thread::yield_now();
    }
    own.store(false, Ordering::SeqCst);
}

// If both announce themselves, the one that came first goes in.
fn main() {
    let other = thread::spawn(|| pass(&RIGHT, &LEFT, false));
    pass(&LEFT, &RIGHT, true);
    other.join().unwrap();
}
