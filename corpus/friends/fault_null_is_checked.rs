//! A cache of one entry that any thread may empty.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    thread,
};

static ENTRY: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());

// Each thread uses only the pointer that it has taken out and checked.
fn main() {
    ENTRY.store(Box::into_raw(Box::new(4)), Ordering::Release);
    let take = || {
        let entry = ENTRY.swap(ptr::null_mut(), Ordering::AcqRel);
        if entry.is_null() { 0 } else { *unsafe { Box::from_raw(entry) } }
    };
    let threads = [thread::spawn(take), thread::spawn(take)];
    let sum: u32 = threads.into_iter().map(|it| it.join().unwrap()).sum();
    assert_eq!(sum, 4);
}
