use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Semaphore {
    permits: Mutex<usize>,
    returned: Condvar,
}

impl Semaphore {
    fn new(permits: usize) -> Self {
        Semaphore { permits: Mutex::new(permits), returned: Condvar::new() }
    }

    fn acquire(&self, count: usize) {
        let mut permits = self.permits.lock().unwrap();
        while *permits < count {
            permits = self.returned.wait(permits).unwrap(); //~ deadlock
        }
        *permits -= count;
    }

    fn release(&self, count: usize) {
        *self.permits.lock().unwrap() += count;
        self.returned.notify_one();
    }
}

fn transcode(semaphore: &Semaphore, name: &str, weight: usize) -> String {
    semaphore.acquire(weight);
    let result = format!("{name}.mp4");
    semaphore.release(weight);
    result
}

// A returned permit may wake the big job, which needs two, while the small one, which needs one, sleeps on.
fn main() {
    let semaphore = Arc::new(Semaphore::new(0));
    let jobs: Vec<_> = [("film", 2), ("clip", 1)]
        .into_iter()
        .map(|(name, weight)| {
            let semaphore = Arc::clone(&semaphore);
            thread::spawn(move || transcode(&semaphore, name, weight))
        })
        .collect();
    semaphore.release(1);
    let mut jobs = jobs.into_iter().rev();
    println!("{}", jobs.next().unwrap().join().unwrap()); //~ deadlock
    semaphore.release(1);
    println!("{}", jobs.next().unwrap().join().unwrap());
}
