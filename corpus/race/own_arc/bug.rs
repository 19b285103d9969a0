use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Inner<T> {
    owners: AtomicUsize,
    value: T,
}

struct Shared<T>(NonNull<Inner<T>>);

unsafe impl<T: Send + Sync> Send for Shared<T> {}

impl<T> Shared<T> {
    fn new(value: T) -> Shared<T> {
        let inner = Box::new(Inner { owners: AtomicUsize::new(1), value });
        Shared(NonNull::from(Box::leak(inner)))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        unsafe { self.0.as_ref() }.owners.fetch_add(1, Ordering::Relaxed);
        Shared(self.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { &self.0.as_ref().value }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        let left = unsafe { self.0.as_ref() }.owners.fetch_sub(1, Ordering::Relaxed); //~ data-race 2
        if left == 1 {
            drop(unsafe { Box::from_raw(self.0.as_ptr()) }); //~ data-race 2
        }
    }
}

struct Buffer {
    used: usize,
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.used = 0; //~ data-race
    }
}

// The count of owners goes down relaxed, so the last one may destroy what another still reads.
fn main() {
    let buffer = Shared::new(Buffer { used: 3 });
    let other = buffer.clone();
    let reader = thread::spawn(move || {
        other.used > 0 //~ data-race
    });
    drop(buffer);
    println!("{}", reader.join().unwrap());
}
