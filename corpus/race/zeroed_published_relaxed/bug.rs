//! A table of counters that the first user makes.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU32, Ordering},
    thread,
};

static TABLE: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

// The pointer is published without an order, so the memory may not be there yet for the other thread.
fn main() {
    let reader = thread::spawn(|| {
        let table = TABLE.load(Ordering::Relaxed);
        if table.is_null() { 0 } else { unsafe { (*table.add(3)).load(Ordering::Relaxed) } } //~ data-race
    });
    let table = unsafe { std::alloc::alloc_zeroed(std::alloc::Layout::new::<[AtomicU32; 8]>()) }; //~ data-race
    TABLE.store(table.cast(), Ordering::Relaxed);
    assert_eq!(reader.join().unwrap(), 0);
}
