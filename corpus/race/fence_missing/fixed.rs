use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::thread;

static mut FRAME: [u8; 4] = [0; 4];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

fn receive() {
    unsafe { FRAME[0] = 0x7e };
    fence(Ordering::Release);
    LENGTH.store(1, Ordering::Relaxed);
}

fn decode() -> u8 {
    while LENGTH.load(Ordering::Relaxed) == 0 {
        thread::yield_now();
    }
    fence(Ordering::Acquire);
    unsafe { FRAME[0] }
}

// The writer has the reader's fence; before a relaxed store it takes one that releases.
fn main() {
    let receiver = thread::spawn(receive);
    println!("{:x}", decode());
    receiver.join().unwrap();
}
