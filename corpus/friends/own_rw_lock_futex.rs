use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};

struct Sleepers {
    busy: AtomicBool,
    queue: UnsafeCell<VecDeque<Thread>>,
}

struct Lock<T> {
    held: AtomicBool,
    waiting: AtomicUsize,
    sleepers: Sleepers,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Lock<T> {}

impl Sleepers {
    fn with<R>(&self, work: impl FnOnce(&mut VecDeque<Thread>) -> R) -> R {
        while self.busy.swap(true, Ordering::Acquire) {
            thread::yield_now();
        }
        let result = work(unsafe { &mut *self.queue.get() });
        self.busy.store(false, Ordering::Release);
        result
    }
}

impl<T> Lock<T> {
    fn new(value: T) -> Self {
        let sleepers = Sleepers { busy: AtomicBool::new(false), queue: UnsafeCell::default() };
        Lock { held: AtomicBool::new(false), waiting: AtomicUsize::new(0), sleepers, value: UnsafeCell::new(value) }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        while self.held.swap(true, Ordering::SeqCst) {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            self.sleepers.with(|queue| queue.push_back(thread::current()));
            if self.held.load(Ordering::SeqCst) {
                thread::park();
            }
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
        let result = work(unsafe { &mut *self.value.get() });
        self.held.store(false, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            for sleeper in self.sleepers.with(std::mem::take) {
                sleeper.unpark();
            }
        }
        result
    }
}

// A thread stores its handle before it tries the lock again and parks; unlocking frees the lock, then wakes the handles.
fn main() {
    let names = Lock::new(Vec::new());
    thread::scope(|scope| {
        for name in ["ann", "bob", "cid"] {
            let names = &names;
            scope.spawn(move || names.with(|names| names.push(name.to_string())));
        }
    });
    println!("{}", names.with(|names| names.len()));
}
