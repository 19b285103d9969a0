//! A flag that is reset for the next round.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static READY: AtomicBool = AtomicBool::new(true);

// The reset comes after the start of the thread that sets the flag again: it may come later than that.
fn main() {
    let producer = thread::spawn(|| READY.store(true, Ordering::Release));
    READY.store(false, Ordering::Release);
    while !READY.load(Ordering::Acquire) { //~ livelock
        std::hint::spin_loop();
    }
    producer.join().unwrap();
}
