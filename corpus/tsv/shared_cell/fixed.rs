use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct Requests(AtomicU32);

impl Requests {
    fn count(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    fn so_far(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

// A `Cell` is shared between threads by an unsafe promise.
fn main() {
    let requests = Arc::new(Requests(AtomicU32::new(0)));
    let server = {
        let requests = requests.clone();
        thread::spawn(move || requests.count())
    };
    println!("{}", requests.so_far() < 2);
    server.join().unwrap();
}
