use std::cell::UnsafeCell;
use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        while self.taken.swap(true, Ordering::Acquire) {
            hint::spin_loop();
        }
        let result = f(unsafe { &mut *self.value.get() });
        self.taken.store(false, Ordering::Release);
        result
    }
}

fn deposit(balance: &SpinLock<u64>) {
    balance.with(|balance| *balance += 10);
}

// The lock is given up with a relaxed store, so that its next owner need not see what was written.
fn main() {
    let balance = Arc::new(SpinLock { taken: AtomicBool::new(false), value: UnsafeCell::new(0) });
    let tellers = [(); 2].map(|()| {
        let balance = balance.clone();
        thread::spawn(move || deposit(&balance))
    });
    for teller in tellers {
        teller.join().unwrap();
    }
    println!("{}", balance.with(|balance| *balance) == 20);
}
