use std::sync::{Arc, Mutex};
use std::thread;

struct Log(Mutex<Vec<u32>>);

impl Log {
    fn add(&self, n: u32) {
        self.0.lock().unwrap().push(n)
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

// Two threads push to one vector.
fn main() {
    let log = Arc::new(Log(Mutex::new(Vec::with_capacity(8))));
    let worker = {
        let log = log.clone();
        thread::spawn(move || log.add(1))
    };
    log.add(2);
    worker.join().unwrap();
    println!("{}", log.len());
}
