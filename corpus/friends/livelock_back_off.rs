//! Two threads that each need two flags, and give the first one back if the second is taken.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

static LEFT: AtomicBool = AtomicBool::new(false);
static RIGHT: AtomicBool = AtomicBool::new(false);

fn work(first: &AtomicBool, second: &AtomicBool) {
    loop {
        if !first.swap(true, Ordering::AcqRel) {
            if !second.swap(true, Ordering::AcqRel) {
                break;
            }
            first.store(false, Ordering::Release);
        }
        thread::yield_now();
    }
    second.store(false, Ordering::Release);
    first.store(false, Ordering::Release);
}

// They may give way to each other for some time, but whenever one of them runs alone, it gets both flags.
fn main() {
    let other = thread::spawn(|| work(&RIGHT, &LEFT));
    work(&LEFT, &RIGHT);
    other.join().unwrap();
}
