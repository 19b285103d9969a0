use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicIsize, Ordering::SeqCst};
use std::thread;

struct Deque {
    top: AtomicIsize,
    bottom: AtomicIsize,
    jobs: [UnsafeCell<Option<Box<u64>>>; 8],
}

unsafe impl Sync for Deque {}

impl Deque {
    fn new() -> Deque {
        Deque { top: AtomicIsize::new(0), bottom: AtomicIsize::new(0), jobs: Default::default() }
    }

    unsafe fn take(&self, at: isize) -> Option<Box<u64>> {
        unsafe { (*self.jobs[at as usize].get()).take() }
    }

    fn push(&self, job: u64) {
        let bottom = self.bottom.load(SeqCst);
        unsafe { *self.jobs[bottom as usize].get() = Some(Box::new(job)) };
        self.bottom.store(bottom + 1, SeqCst);
    }

    fn pop(&self) -> Option<Box<u64>> {
        let bottom = self.bottom.load(SeqCst) - 1;
        self.bottom.store(bottom, SeqCst);
        let top = self.top.load(SeqCst);
        if top > bottom {
            self.bottom.store(top, SeqCst);
            return None;
        }
        if top == bottom {
            let won = self.top.compare_exchange(top, top + 1, SeqCst, SeqCst).is_ok();
            self.bottom.store(top + 1, SeqCst);
            return if won { unsafe { self.take(bottom) } } else { None };
        }
        unsafe { self.take(bottom) }
    }

    fn steal(&self) -> Option<Box<u64>> {
        let top = self.top.load(SeqCst);
        if top >= self.bottom.load(SeqCst) {
            return None;
        }
        self.top.compare_exchange(top, top + 1, SeqCst, SeqCst).ok()?;
        unsafe { self.take(top) }
    }
}

// Owner and thief can both get the last job, for the owner takes it without an exchange.
fn main() {
    let deque = Deque::new();
    deque.push(20);
    deque.push(22);
    let done: u64 = thread::scope(|scope| {
        let thief = scope.spawn(|| std::iter::from_fn(|| deque.steal()).map(|job| *job).sum::<u64>());
        let own: u64 = std::iter::from_fn(|| deque.pop()).map(|job| *job).sum();
        own + thief.join().unwrap()
    });
    println!("{done}");
}
