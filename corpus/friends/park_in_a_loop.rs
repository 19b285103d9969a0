use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

// The flag is set before the wake-up, and the sleeper looks at it after each one.
fn main() {
    let open = Arc::new(AtomicBool::new(false));
    let guest = {
        let open = open.clone();
        thread::spawn(move || {
            while !open.load(Ordering::Acquire) {
                thread::park();
            }
            "inside"
        })
    };
    guest.thread().unpark();
    open.store(true, Ordering::Release);
    guest.thread().unpark();
    println!("{}", guest.join().unwrap());
}
