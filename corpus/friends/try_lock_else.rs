//@ edition: 2021
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

#[derive(Default)]
struct Counter {
    count: Mutex<u32>,
    waits: RwLock<u32>,
}

impl Counter {
    fn add(&self) {
        if let Ok(mut count) = self.count.try_lock() {
            *count += 1;
        } else {
            *self.waits.write().unwrap() += 1;
            *self.count.lock().unwrap() += 1;
        }
    }

    fn add_or_wait(&self) -> bool {
        match self.count.try_lock() {
            Ok(mut count) => {
                *count += 1;
                true
            }
            Err(_) => {
                *self.count.lock().unwrap() += 1;
                false
            }
        }
    }
}

// What a failed `try_lock` gives has no guard, so it does no harm that it lives through the other branch.
fn main() {
    let counter = Arc::new(Counter::default());
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let counter = counter.clone();
            thread::spawn(move || {
                counter.add();
                counter.add_or_wait();
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    println!("{} {}", counter.count.lock().unwrap(), *counter.waits.read().unwrap() <= 2);
}
