use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

static STATUS: AtomicU8 = AtomicU8::new(0);

fn device() {
    for status in 1..4 {
        STATUS.store(status, Ordering::Relaxed);
        thread::yield_now();
    }
}

// All accesses of the status are atomic, so the missing order is no harm.
fn main() {
    let device = thread::spawn(device);
    let seen = STATUS.load(Ordering::Relaxed);
    let _ = STATUS.compare_exchange(9, 0, Ordering::Relaxed, Ordering::Relaxed);
    device.join().unwrap();
    println!("{}", seen <= STATUS.load(Ordering::Relaxed));
}
