//! Threads that print in turn.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static TURN: AtomicUsize = AtomicUsize::new(0);

// Each thread passes the turn on in one step.
fn main() {
    let passer = thread::spawn(|| {
        TURN.fetch_add(1, Ordering::SeqCst);
    });
    TURN.fetch_add(1, Ordering::SeqCst);
    let last = thread::spawn(|| {
        while TURN.load(Ordering::SeqCst) < 2 {
            thread::yield_now();
        }
        println!("last");
    });
    passer.join().unwrap();
    last.join().unwrap();
}
