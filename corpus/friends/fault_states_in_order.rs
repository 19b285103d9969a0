//! A slot whose states only follow each other.

use std::{
    hint::unreachable_unchecked,
    sync::atomic::{AtomicU8, Ordering},
    thread,
};

static STATE: AtomicU8 = AtomicU8::new(0);

// `main` asks after the writer has left the first state, and the writer never goes back to it.
fn main() {
    let writer = thread::spawn(|| {
        STATE.store(1, Ordering::SeqCst);
        STATE.store(2, Ordering::SeqCst);
    });
    while STATE.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
    let progress = match STATE.load(Ordering::SeqCst) {
        1 => 50,
        2 => 100,
        _ => unsafe { unreachable_unchecked() },
    };
    assert!(progress >= 50);
    writer.join().unwrap();
}
