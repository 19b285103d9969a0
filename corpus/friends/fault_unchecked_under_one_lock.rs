//! A queue whose elements are taken without a second check.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    thread,
};

// The check and the unchecked access are under one lock.
fn main() {
    let queue: Arc<Mutex<VecDeque<u32>>> = Arc::new(Mutex::new((1..=3).collect()));
    let worker = |queue: Arc<Mutex<VecDeque<u32>>>| {
        move || {
            let mut sum = 0;
            loop {
                let mut queue = queue.lock().unwrap();
                if queue.is_empty() {
                    return sum;
                }
                sum += unsafe { queue.pop_front().unwrap_unchecked() };
            }
        }
    };
    let threads = [thread::spawn(worker(queue.clone())), thread::spawn(worker(queue))];
    let sum: u32 = threads.into_iter().map(|it| it.join().unwrap()).sum();
    assert_eq!(sum, 6);
}
