//! Two threads that talk through one word.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

const IDLE: u32 = 0;
const ASKED: u32 = 1;
const ANSWERED: u32 = 2;

static STATE: AtomicU32 = AtomicU32::new(IDLE);

// The answering thread sets the word to idle when it starts: it may wipe out the question.
fn main() {
    let answering = thread::spawn(|| {
        STATE.store(IDLE, Ordering::SeqCst);
        while STATE.load(Ordering::SeqCst) != ASKED { //~ livelock
            thread::yield_now();
        }
        STATE.store(ANSWERED, Ordering::SeqCst);
    });
    STATE.store(ASKED, Ordering::SeqCst);
    while STATE.load(Ordering::SeqCst) != ANSWERED { //~ livelock
        thread::yield_now();
    }
    answering.join().unwrap();
}
