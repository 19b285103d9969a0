use std::sync::{Arc, Mutex};
use std::thread;

struct Progress {
    done: Mutex<u32>,
    step: u32,
}

impl Progress {
    fn advance(&self) {
        *self.done.lock().unwrap() += self.step;
    }
}

// The guard on the right side is a temporary that lives until the end of the assignment.
fn main() {
    let progress = Arc::new(Progress { done: Mutex::new(0), step: 5 });
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let progress = Arc::clone(&progress);
            thread::spawn(move || progress.advance())
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", progress.done.lock().unwrap());
}
