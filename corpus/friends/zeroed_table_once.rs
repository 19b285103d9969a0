//! A table of counters that the first user makes.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU32, Ordering},
    thread,
};

static TABLE: AtomicPtr<[AtomicU32; 4]> = AtomicPtr::new(ptr::null_mut());

fn table() -> &'static [AtomicU32; 4] {
    let known = TABLE.load(Ordering::Acquire);
    if let Some(known) = unsafe { known.as_ref() } {
        return known;
    }
    let new = Box::into_raw(unsafe { Box::<[AtomicU32; 4]>::new_zeroed().assume_init() });
    match TABLE.compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => unsafe { &*new },
        Err(first) => {
            drop(unsafe { Box::from_raw(new) });
            unsafe { &*first }
        }
    }
}

// Who sees the table also sees that it was made; the one that comes second is freed by its maker.
fn main() {
    let count = || table()[1].fetch_add(1, Ordering::Relaxed);
    let threads = [thread::spawn(count), thread::spawn(count)];
    threads.into_iter().for_each(|it| assert!(it.join().unwrap() < 2));
    assert_eq!(table()[1].load(Ordering::Relaxed), 2);
}
