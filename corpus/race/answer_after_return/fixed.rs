//! A request on the stack of the thread that asks, which another thread reads.

use std::{
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, Ordering},
    thread,
};

static REQUEST: AtomicPtr<[u32; 2]> = AtomicPtr::new(ptr::null_mut());
static DONE: AtomicBool = AtomicBool::new(false);

fn ask() {
    let mut request = [20, 1];
    REQUEST.store(&mut request, Ordering::Release);
    while !DONE.load(Ordering::Acquire) {
        thread::yield_now();
    }
}

// Who asks waits until the request was read.
fn main() {
    let helper = thread::spawn(|| {
        let mut request = REQUEST.load(Ordering::Acquire);
        while request.is_null() {
            thread::yield_now();
            request = REQUEST.load(Ordering::Acquire);
        }
        let sum: u32 = unsafe { (*request)[0] + (*request)[1] };
        DONE.store(true, Ordering::Release);
        sum
    });
    ask();
    assert_eq!(helper.join().unwrap(), 21);
}
