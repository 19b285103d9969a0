//! A flag that is reset for the next round.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static READY: AtomicBool = AtomicBool::new(true);

// The reset comes before the start of the thread that sets the flag again.
fn main() {
    READY.store(false, Ordering::Release);
    let producer = thread::spawn(|| READY.store(true, Ordering::Release));
    while !READY.load(Ordering::Acquire) {
        std::hint::spin_loop();
    }
    producer.join().unwrap();
}
