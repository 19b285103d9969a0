use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SIZE: usize = 4;

struct Ring {
    cells: [UnsafeCell<u32>; SIZE],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl Sync for Ring {}

impl Ring {
    fn push(&self, value: u32) {
        let tail = self.tail.load(Ordering::Relaxed);
        while tail - self.head.load(Ordering::Acquire) == SIZE {
            thread::yield_now();
        }
        unsafe { *self.cells[tail % SIZE].get() = value };
        self.tail.store(tail + 1, Ordering::Release);
    }

    fn pop(&self) -> u32 {
        let head = self.head.load(Ordering::Relaxed);
        while self.tail.load(Ordering::Acquire) == head {
            thread::yield_now();
        }
        let value = unsafe { *self.cells[head % SIZE].get() };
        self.head.store(head + 1, Ordering::Release);
        value
    }
}

// The producer moves the tail with a relaxed store, which does not publish the cell.
fn main() {
    let ring =
        Ring { cells: [const { UnsafeCell::new(0) }; SIZE], head: AtomicUsize::new(0), tail: AtomicUsize::new(0) };
    let sum: u32 = thread::scope(|scope| {
        scope.spawn(|| (1..=6).for_each(|n| ring.push(n)));
        (0..6).map(|_| ring.pop()).sum()
    });
    println!("{sum}");
}
