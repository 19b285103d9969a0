use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Log(UnsafeCell<Vec<u32>>);

unsafe impl Sync for Log {}

impl Log {
    fn add(&self, n: u32) {
        unsafe { (*self.0.get()).push(n) } //~ thread-safety-violation
    }

    fn len(&self) -> usize {
        unsafe { (*self.0.get()).len() }
    }
}

// Two threads push to one vector.
fn main() {
    let log = Arc::new(Log(UnsafeCell::new(Vec::with_capacity(8))));
    let worker = {
        let log = log.clone();
        thread::spawn(move || log.add(1))
    };
    log.add(2);
    worker.join().unwrap();
    println!("{}", log.len());
}
