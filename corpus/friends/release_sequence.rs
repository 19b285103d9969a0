use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static mut RESULT: u32 = 0;
static STAGE: AtomicU32 = AtomicU32::new(0);

fn count_up() {
    while STAGE.compare_exchange(1, 2, Ordering::Relaxed, Ordering::Relaxed).is_err() {
        thread::yield_now();
    }
}

// A relaxed exchange continues what the release began, so that whoever acquires its value sees the result.
fn main() {
    let worker = thread::spawn(|| {
        unsafe { RESULT = 7 };
        STAGE.store(1, Ordering::Release);
    });
    let counter = thread::spawn(count_up);
    while STAGE.load(Ordering::Acquire) != 2 {
        thread::yield_now();
    }
    println!("{}", unsafe { RESULT });
    worker.join().unwrap();
    counter.join().unwrap();
}
