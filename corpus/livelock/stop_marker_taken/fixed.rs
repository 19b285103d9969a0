//! A queue with one marker for the end, and two threads that take from it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    thread,
};

type Queue = Mutex<VecDeque<Option<u32>>>;

fn work(queue: &Queue) -> u32 {
    let mut sum = 0;
    loop {
        let next = queue.lock().unwrap().pop_front();
        match next {
            Some(Some(job)) => sum += job,
            Some(None) => return sum,
            None => thread::yield_now(),
        }
    }
}

// `main` helps until the queue is empty. It puts the marker back.
fn main() {
    let queue: Arc<Queue> = Arc::new(Mutex::new(VecDeque::from([Some(1), Some(2), None])));
    let own = Arc::clone(&queue);
    let worker = thread::spawn(move || work(&own));
    let mut sum = 0;
    loop {
        let next = queue.lock().unwrap().pop_front();
        match next {
            Some(Some(job)) => sum += job,
            Some(None) => {
                queue.lock().unwrap().push_back(None);
                break;
            }
            None => break,
        }
    }
    println!("{}", sum + worker.join().unwrap());
}
