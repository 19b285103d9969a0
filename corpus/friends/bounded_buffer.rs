use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Buffer {
    items: Mutex<VecDeque<u32>>,
    not_full: Condvar,
    not_empty: Condvar,
}

impl Buffer {
    fn put(&self, item: u32) {
        let mut items = self.not_full.wait_while(self.items.lock().unwrap(), |items| items.len() == 1).unwrap();
        items.push_back(item);
        self.not_empty.notify_one();
    }

    fn take(&self) -> u32 {
        let mut items = self.not_empty.wait_while(self.items.lock().unwrap(), |items| items.is_empty()).unwrap();
        let item = items.pop_front().unwrap();
        self.not_full.notify_one();
        item
    }
}

// One condition variable for each reason to wait, so that one notification is enough.
fn main() {
    let buffer = Arc::new(Buffer { items: Mutex::default(), not_full: Condvar::new(), not_empty: Condvar::new() });
    let producers = [1, 2].map(|n| {
        let buffer = buffer.clone();
        thread::spawn(move || (0..2).for_each(|_| buffer.put(n)))
    });
    let consumer = {
        let buffer = buffer.clone();
        thread::spawn(move || buffer.take() + buffer.take())
    };
    let rest = buffer.take() + buffer.take();
    println!("{}", rest + consumer.join().unwrap());
    for producer in producers {
        producer.join().unwrap();
    }
}
