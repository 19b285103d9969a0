use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicIsize, Ordering, fence};
use std::thread;

struct Deque<T, const N: usize> {
    top: AtomicIsize,
    bottom: AtomicIsize,
    slots: [UnsafeCell<Option<T>>; N],
}

unsafe impl<T: Send, const N: usize> Sync for Deque<T, N> {}

impl<T, const N: usize> Deque<T, N> {
    fn new() -> Self {
        Deque {
            top: AtomicIsize::new(0),
            bottom: AtomicIsize::new(0),
            slots: std::array::from_fn(|_| UnsafeCell::new(None)),
        }
    }

    unsafe fn take(&self, at: isize) -> Option<T> {
        unsafe { (*self.slots[at as usize % N].get()).take() }
    }

    fn push(&self, value: T) {
        let bottom = self.bottom.load(Ordering::Relaxed);
        assert!(bottom - self.top.load(Ordering::Acquire) < N as isize);
        unsafe { *self.slots[bottom as usize % N].get() = Some(value) };
        self.bottom.store(bottom + 1, Ordering::Release);
    }

    fn pop(&self) -> Option<T> {
        let bottom = self.bottom.load(Ordering::Relaxed) - 1;
        self.bottom.store(bottom, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let top = self.top.load(Ordering::Relaxed);
        if top < bottom {
            return unsafe { self.take(bottom) };
        }
        let won = top == bottom
            && self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        self.bottom.store(bottom + 1, Ordering::Relaxed);
        if won { unsafe { self.take(bottom) } } else { None }
    }

    fn steal(&self) -> Option<T> {
        let top = self.top.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if top >= self.bottom.load(Ordering::Acquire) {
            return None;
        }
        self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).ok()?;
        unsafe { self.take(top) }
    }
}

// The owner and the thieves agree on who gets a job before any of them takes it out; the ring never comes round.
fn main() {
    let jobs: Deque<Box<u32>, 8> = Deque::new();
    for n in 1..=4 {
        jobs.push(Box::new(n));
    }
    let sum: u32 = thread::scope(|scope| {
        let thieves = [(); 2].map(|()| scope.spawn(|| jobs.steal().map_or(0, |job| *job)));
        let mut own = 0;
        while let Some(job) = jobs.pop() {
            own += *job;
        }
        own + thieves.into_iter().map(|thief| thief.join().unwrap()).sum::<u32>()
    });
    println!("{sum}");
}
