//! A buffer that one thread makes and another one fills.

use std::{
    mem::MaybeUninit,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    thread,
};

static BUFFER: AtomicPtr<MaybeUninit<u64>> = AtomicPtr::new(ptr::null_mut());

// Nothing orders the making of the buffer before its filling.
fn main() {
    let filler = thread::spawn(|| {
        let buffer = BUFFER.load(Ordering::Relaxed);
        if !buffer.is_null() {
            unsafe { (*buffer).write(7) }; //~ data-race
        }
    });
    let buffer = Box::into_raw(Box::new_uninit()); //~ data-race
    BUFFER.store(buffer, Ordering::Relaxed);
    filler.join().unwrap();
    drop(unsafe { Box::from_raw(buffer) });
}
