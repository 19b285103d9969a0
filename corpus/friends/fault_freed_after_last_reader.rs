//! A list of nodes that readers walk, counted in and out.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
    thread,
};

static HEAD: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());
static READERS: AtomicUsize = AtomicUsize::new(0);

// The node is unlinked first, and freed when no reader is left that may have seen it.
fn main() {
    HEAD.store(Box::into_raw(Box::new(8)), Ordering::SeqCst);
    let reader = thread::spawn(|| {
        READERS.fetch_add(1, Ordering::SeqCst);
        let value = unsafe { HEAD.load(Ordering::SeqCst).as_ref() }.copied();
        READERS.fetch_sub(1, Ordering::SeqCst);
        value
    });
    let old = HEAD.swap(ptr::null_mut(), Ordering::SeqCst);
    while READERS.load(Ordering::SeqCst) > 0 {
        thread::yield_now();
    }
    drop(unsafe { Box::from_raw(old) });
    assert!(matches!(reader.join().unwrap(), None | Some(8)));
}
