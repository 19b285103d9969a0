use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SIZE: usize = 2;

struct Spsc<T> {
    slots: [UnsafeCell<Option<T>>; SIZE],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl<T: Send> Sync for Spsc<T> {}

impl<T> Spsc<T> {
    fn new() -> Self {
        Spsc { slots: std::array::from_fn(|_| UnsafeCell::new(None)), head: AtomicUsize::new(0), tail: AtomicUsize::new(0) }
    }

    fn push(&self, value: T) -> Result<(), T> {
        let tail = self.tail.load(Ordering::Relaxed);
        if tail - self.head.load(Ordering::Acquire) == SIZE {
            return Err(value);
        }
        unsafe { self.slots[tail % SIZE].get().write(Some(value)) };
        self.tail.store(tail + 1, Ordering::Release);
        Ok(())
    }

    fn pop(&self) -> Option<T> {
        let head = self.head.load(Ordering::Relaxed);
        if head == self.tail.load(Ordering::Acquire) {
            return None;
        }
        let value = unsafe { (*self.slots[head % SIZE].get()).take() };
        self.head.store(head + 1, Ordering::Release);
        value
    }
}

// The consumer hands a slot back with a relaxed store, so the producer may fill it while it is emptied.
fn main() {
    let queue = Spsc::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..6u64 {
                let mut value = n;
                while let Err(back) = queue.push(value) {
                    value = back;
                    thread::yield_now();
                }
            }
        });
        let mut sum = 0;
        let mut got = 0;
        while got < 6 {
            match queue.pop() {
                Some(value) => (sum, got) = (sum + value, got + 1),
                None => thread::yield_now(),
            }
        }
        println!("{sum}");
    });
}
