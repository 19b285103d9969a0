use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static REQUESTS: AtomicU32 = AtomicU32::new(0);

fn handle() {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
}

// Two threads increment a plain static.
fn main() {
    let workers = [thread::spawn(handle), thread::spawn(handle)];
    for worker in workers {
        worker.join().unwrap();
    }
    println!("{}", REQUESTS.load(Ordering::Relaxed));
}
