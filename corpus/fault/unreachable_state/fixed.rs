//! A job that goes through three states.

use std::{
    hint::unreachable_unchecked,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    thread,
};

const WAITS: u8 = 0;
const RUNS: u8 = 1;
const DONE: u8 = 2;

fn progress(state: &AtomicU8) -> u32 {
    match state.load(Ordering::SeqCst) {
        WAITS => 0,
        RUNS => 50,
        DONE => 100,
        _ => unsafe { unreachable_unchecked() },
    }
}

// All states are handled.
fn main() {
    let state = Arc::new(AtomicU8::new(WAITS));
    let shared = state.clone();
    let job = thread::spawn(move || {
        shared.store(RUNS, Ordering::SeqCst);
        shared.store(DONE, Ordering::SeqCst);
    });
    assert!(progress(&state) <= 100);
    job.join().unwrap();
}
