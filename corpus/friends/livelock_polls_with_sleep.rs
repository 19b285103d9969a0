//! A thread that polls, and sleeps in between.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

// The poller gives up after some time; nobody may set the flag.
fn main() {
    let ready = Arc::new(AtomicBool::new(false));
    let own = Arc::clone(&ready);
    let setter = thread::spawn(move || own.store(true, Ordering::Release));
    ready.store(false, Ordering::Release);
    let start = Instant::now();
    while !ready.load(Ordering::Acquire) && start.elapsed() < Duration::from_secs(1) {
        thread::sleep(Duration::from_millis(10));
    }
    setter.join().unwrap();
}
