use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Register {
    busy: AtomicBool,
    total: UnsafeCell<u32>,
}

unsafe impl Sync for Register {}

impl Register {
    fn enter(&self) {
        while self.busy.swap(true, Ordering::SeqCst) {
            thread::yield_now();
        }
    }

    fn ring_up(&self, price: u32) {
        self.enter();
        unsafe { *self.total.get() += price };
        self.busy.store(false, Ordering::SeqCst);
    }
}

// Between the look at the flag and setting it another thread can do the same.
fn main() {
    let register = Register { busy: AtomicBool::new(false), total: UnsafeCell::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| register.ring_up(5));
        register.ring_up(7);
    });
    println!("{}", register.total.into_inner() <= 12);
}
