use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Clone, Copy)]
enum Item {
    Url(&'static str),
    Pill,
}

#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<Item>>,
    added: Condvar,
}

impl Queue {
    fn put(&self, item: Item) {
        self.items.lock().unwrap().push_back(item);
        self.added.notify_one();
    }

    fn get(&self) -> Item {
        let mut items = self.items.lock().unwrap();
        loop {
            match items.pop_front() {
                Some(item) => return item,
                None => items = self.added.wait(items).unwrap(), //~ deadlock
            }
        }
    }
}

fn worker(queue: &Queue) -> usize {
    let mut bytes = 0;
    loop {
        match queue.get() {
            Item::Url(url) => bytes += url.len(),
            Item::Pill => {
                return bytes;
            }
        }
    }
}

// The worker that takes the pill ends without leaving it for the others.
fn main() {
    let queue = Arc::new(Queue::default());
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || worker(&queue))
        })
        .collect();
    for url in ["/a", "/bb", "/ccc"] {
        queue.put(Item::Url(url));
    }
    queue.put(Item::Pill);
    let bytes: usize = workers.into_iter().map(|worker| worker.join().unwrap()).sum(); //~ deadlock
    println!("{bytes}");
}
