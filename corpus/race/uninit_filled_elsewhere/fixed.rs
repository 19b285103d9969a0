//! A buffer that one thread makes and another one fills.

use std::{
    mem::MaybeUninit,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    thread,
};

static BUFFER: AtomicPtr<MaybeUninit<u64>> = AtomicPtr::new(ptr::null_mut());

// Who sees the buffer knows that it is made.
fn main() {
    let filler = thread::spawn(|| {
        let buffer = BUFFER.load(Ordering::Acquire);
        if !buffer.is_null() {
            unsafe { (*buffer).write(7) };
        }
    });
    let buffer = Box::into_raw(Box::new_uninit());
    BUFFER.store(buffer, Ordering::Release);
    filler.join().unwrap();
    drop(unsafe { Box::from_raw(buffer) });
}
