use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};

struct Waker {
    ready: AtomicBool,
    sleeper: Thread,
}

impl Waker {
    fn wake(&self) {
        self.sleeper.unpark();
        self.ready.store(true, Ordering::Release);
    }

    fn sleep(&self) {
        while !self.ready.load(Ordering::Acquire) {
            thread::park(); //~ deadlock
        }
    }
}

// The sleeper may wake up, see that it is not ready, and park again before the flag is set.
fn main() {
    let waker = Arc::new(Waker { ready: AtomicBool::new(false), sleeper: thread::current() });
    let worker = {
        let waker = waker.clone();
        thread::spawn(move || waker.wake())
    };
    waker.sleep();
    worker.join().unwrap();
    println!("awake");
}
