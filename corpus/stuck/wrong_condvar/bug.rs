use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct BoundedQueue<T> {
    items: Mutex<VecDeque<T>>,
    capacity: usize,
    not_empty: Condvar,
    not_full: Condvar,
}

impl<T> BoundedQueue<T> {
    fn with_capacity(capacity: usize) -> Self {
        BoundedQueue { items: Mutex::default(), capacity, not_empty: Condvar::new(), not_full: Condvar::new() }
    }

    fn push(&self, item: T) {
        let mut items = self.not_full.wait_while(self.items.lock().unwrap(), |items| items.len() >= self.capacity).unwrap();
        items.push_back(item);
        self.not_full.notify_one();
    }

    fn pop(&self) -> T {
        let mut items = self.not_empty.wait_while(self.items.lock().unwrap(), |items| items.is_empty()).unwrap(); //~ deadlock
        let item = items.pop_front().expect("the queue has items");
        self.not_full.notify_one();
        item
    }
}

// `push` notifies those who wait for room instead of those who wait for items.
fn main() {
    let queue = Arc::new(BoundedQueue::with_capacity(4));
    let producer = {
        let queue = queue.clone();
        thread::spawn(move || (0..3).for_each(|n| queue.push(n)))
    };
    let sum: i32 = (0..3).map(|_| queue.pop()).sum();
    producer.join().unwrap();
    println!("{sum}");
}
