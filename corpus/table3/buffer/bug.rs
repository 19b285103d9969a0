use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const CAPACITY: usize = 2;

struct BoundedBuffer {
    queue: UnsafeCell<VecDeque<u32>>,
    monitor: Mutex<usize>,
    changed: Condvar,
}

unsafe impl Sync for BoundedBuffer {}

impl BoundedBuffer {
    fn put(&self, item: u32) {
        let mut count = self.changed.wait_while(self.monitor.lock().unwrap(), |count| *count == CAPACITY).unwrap();
        *count += 1;
        drop(count);
        unsafe { (*self.queue.get()).push_back(item) }; //~ thread-safety-violation
        self.changed.notify_all();
    }

    fn take(&self) -> Option<u32> {
        let mut count = self.changed.wait_while(self.monitor.lock().unwrap(), |count| *count == 0).unwrap();
        *count -= 1;
        drop(count);
        let item = unsafe { (*self.queue.get()).pop_front() }; //~ thread-safety-violation
        self.changed.notify_all();
        item
    }
}

// The monitor guards the number of items only; the queue itself is changed after it was left.
fn main() {
    let buffer = Arc::new(BoundedBuffer {
        queue: UnsafeCell::new(VecDeque::with_capacity(CAPACITY)),
        monitor: Mutex::new(0),
        changed: Condvar::new(),
    });
    let producer = {
        let buffer = buffer.clone();
        thread::spawn(move || (1..=4).for_each(|item| buffer.put(item)))
    };
    let sum: u32 = (0..4).filter_map(|_| buffer.take()).sum();
    producer.join().unwrap();
    println!("{sum}");
}
