use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::thread;

struct Waiter {
    next: AtomicPtr<Waiter>,
    locked: AtomicBool,
}

struct McsLock<T> {
    tail: AtomicPtr<Waiter>,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for McsLock<T> {}

impl<T> McsLock<T> {
    fn new(value: T) -> Self {
        McsLock { tail: AtomicPtr::new(ptr::null_mut()), value: UnsafeCell::new(value) }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let waiter = Waiter { next: AtomicPtr::new(ptr::null_mut()), locked: AtomicBool::new(true) };
        let own = ptr::from_ref(&waiter).cast_mut();
        let before = self.tail.swap(own, Ordering::AcqRel);
        if !before.is_null() {
            unsafe { (*before).next.store(own, Ordering::Release) };
            while waiter.locked.load(Ordering::Acquire) {
                thread::yield_now();
            }
        }
        let result = work(unsafe { &mut *self.value.get() });
        let mut next = waiter.next.load(Ordering::Acquire);
        if next.is_null() {
            if self.tail.compare_exchange(own, ptr::null_mut(), Ordering::Release, Ordering::Relaxed).is_ok() {
                return result;
            }
            while next.is_null() {
                thread::yield_now();
                next = waiter.next.load(Ordering::Acquire);
            }
        }
        unsafe { (*next).locked.store(false, Ordering::Release) };
        result
    }
}

// Each waiter spins on a flag in its own frame, which nobody touches any more once it is told to go on.
fn main() {
    let log = McsLock::new(Vec::new());
    thread::scope(|scope| {
        for id in 0..3 {
            let log = &log;
            scope.spawn(move || (0..2).for_each(|n| log.with(|log| log.push(id * 10 + n))));
        }
    });
    println!("{}", log.with(|log| log.len()));
}
