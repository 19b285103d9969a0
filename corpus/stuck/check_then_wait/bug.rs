use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Job {
    result: Mutex<Option<u64>>,
    finished: Condvar,
}

impl Job {
    fn is_finished(&self) -> bool {
        self.result.lock().unwrap().is_some()
    }

    fn finish(&self, result: u64) {
        *self.result.lock().unwrap() = Some(result);
        self.finished.notify_all();
    }

    fn wait(&self) -> u64 {
        if !self.is_finished() {
            let result = self.result.lock().unwrap();
            return self.finished.wait(result).unwrap().unwrap_or_default(); //~ deadlock
        }
        self.result.lock().unwrap().unwrap_or_default()
    }
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

// The job may finish after it was looked at under the lock and before the lock is taken again to wait.
fn main() {
    let job = Arc::new(Job::default());
    let worker = {
        let job = Arc::clone(&job);
        thread::spawn(move || job.finish(factorial(5)))
    };
    println!("{}", job.wait());
    worker.join().unwrap();
}
