use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::thread;

static mut DATA: u64 = 0;
static READY: AtomicBool = AtomicBool::new(false);

// Fences make the relaxed flag a publication.
fn main() {
    let writer = thread::spawn(|| {
        unsafe { DATA = 9 };
        fence(Ordering::Release);
        READY.store(true, Ordering::Relaxed);
    });
    while !READY.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    fence(Ordering::Acquire);
    println!("{}", unsafe { DATA });
    writer.join().unwrap();
}
