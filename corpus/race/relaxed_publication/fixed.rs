use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Message {
    text: UnsafeCell<u64>,
    ready: AtomicBool,
}

unsafe impl Sync for Message {}

static MESSAGE: Message = Message { text: UnsafeCell::new(0), ready: AtomicBool::new(false) };

fn publish() {
    unsafe { *MESSAGE.text.get() = 42 }
    MESSAGE.ready.store(true, Ordering::Release);
}

// The flag is set and read relaxed, which orders nothing.
fn main() {
    let publisher = thread::spawn(publish);
    while !MESSAGE.ready.load(Ordering::Acquire) {
        hint::spin_loop();
    }
    println!("{}", unsafe { *MESSAGE.text.get() });
    publisher.join().unwrap();
}
