//! Threads that print in turn.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static TURN: AtomicUsize = AtomicUsize::new(0);

// The turn goes to whoever it is after a separate load: two threads may pass it on from the same number.
fn main() {
    let passer = thread::spawn(|| {
        let turn = TURN.load(Ordering::SeqCst);
        TURN.store(turn + 1, Ordering::SeqCst);
    });
    let turn = TURN.load(Ordering::SeqCst);
    TURN.store(turn + 1, Ordering::SeqCst);
    let last = thread::spawn(|| {
        while TURN.load(Ordering::SeqCst) < 2 { //~ livelock
            thread::yield_now();
        }
        println!("last");
    });
    passer.join().unwrap();
    last.join().unwrap();
}
