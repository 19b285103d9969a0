//! A message that waits for one of two readers.

use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
    thread,
};

static SLOT: AtomicPtr<String> = AtomicPtr::new(ptr::null_mut());

fn take() -> usize {
    let message = SLOT.swap(ptr::null_mut(), Ordering::AcqRel);
    if message.is_null() { 0 } else { unsafe { (&*message).len() } }
}

// A reader that finds no message is done.
fn main() {
    SLOT.store(Box::into_raw(Box::new("hello".to_owned())), Ordering::Release);
    let reader = || if SLOT.load(Ordering::Acquire).is_null() { 0 } else { take() };
    let readers = [thread::spawn(reader), thread::spawn(reader)];
    let read: usize = readers.into_iter().map(|it| it.join().unwrap()).sum();
    assert_eq!(read, 5);
}
