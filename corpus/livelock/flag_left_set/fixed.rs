//! A flag that serves as a lock around a stock.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
};

static BUSY: AtomicBool = AtomicBool::new(false);
static STOCK: AtomicU32 = AtomicU32::new(0);

fn lock() {
    while BUSY.swap(true, Ordering::AcqRel) {
        thread::yield_now();
    }
}

fn unlock() {
    BUSY.store(false, Ordering::Release);
}

// A buyer who finds nothing clears the flag too.
fn main() {
    let buyer = thread::spawn(|| {
        lock();
        let stock = STOCK.load(Ordering::Relaxed);
        if stock == 0 {
            unlock();
            return false;
        }
        STOCK.store(stock - 1, Ordering::Relaxed);
        unlock();
        true
    });
    lock();
    STOCK.store(1, Ordering::Relaxed);
    unlock();
    println!("{}", buyer.join().unwrap());
}
