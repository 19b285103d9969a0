//! A configuration that is reset while requests read it.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    thread,
};

static CONFIG: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());

fn limit() -> u32 {
    match CONFIG.load(Ordering::SeqCst).is_null() {
        true => 10,
        false => unsafe { *CONFIG.load(Ordering::SeqCst) }, //~ schedule-dependent-fault
    }
}

// The pointer is loaded twice, and reset in between.
fn main() {
    CONFIG.store(Box::leak(Box::new(20)), Ordering::SeqCst);
    let request = thread::spawn(limit);
    CONFIG.store(ptr::null_mut(), Ordering::SeqCst);
    assert!(request.join().unwrap() >= 10);
}
