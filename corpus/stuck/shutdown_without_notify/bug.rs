use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct State {
    jobs: VecDeque<u32>,
    closed: bool,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    fn push(&self, job: u32) {
        self.state.lock().unwrap().jobs.push_back(job);
        self.changed.notify_one();
    }

    fn pop(&self) -> Option<u32> {
        let mut state = self.state.lock().unwrap();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap(); //~ deadlock
        }
    }

    fn close(&self) {
        self.state.lock().unwrap().closed = true;
    }
}

// Closing the queue sets the flag and wakes nobody.
fn main() {
    let queue = Arc::new(Queue::default());
    let worker = {
        let queue = queue.clone();
        thread::spawn(move || std::iter::from_fn(|| queue.pop()).sum::<u32>())
    };
    queue.push(3);
    queue.push(4);
    queue.close();
    println!("{}", worker.join().unwrap()); //~ deadlock
}
