use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Buffers {
    free: Mutex<u32>,
    returned: Condvar,
}

impl Buffers {
    fn take(&self, count: u32) {
        let free = self.free.lock().unwrap();
        let mut free = self.returned.wait_while(free, |free| *free < count).unwrap(); //~ deadlock
        *free -= count;
    }

    fn give_back(&self, count: u32) {
        *self.free.lock().unwrap() += count;
        self.returned.notify_all();
    }

    fn copy(&self) {
        self.take(1);
        self.take(1);
        self.give_back(2);
    }
}

// Each copy needs two of the two buffers and takes them one after the other.
fn main() {
    let buffers = Arc::new(Buffers { free: Mutex::new(2), returned: Condvar::new() });
    let other = {
        let buffers = buffers.clone();
        thread::spawn(move || buffers.copy())
    };
    buffers.copy();
    other.join().unwrap();
    println!("{}", buffers.free.lock().unwrap());
}
