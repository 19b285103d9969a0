//! A busy wait that counts its attempts.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static READY: AtomicBool = AtomicBool::new(false);

// Nobody may be left who sets the flag; the loop ends nevertheless.
fn main() {
    let setter = thread::spawn(|| READY.store(true, Ordering::Release));
    // Undoes what the thread did if that came first.
    READY.store(false, Ordering::Release);
    let mut attempts = 0;
    while !READY.load(Ordering::Acquire) && attempts < 50_000 {
        attempts += 1;
    }
    setter.join().unwrap();
    println!("{attempts}");
}
