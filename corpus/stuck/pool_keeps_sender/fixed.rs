use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() -> u32 + Send>;

struct Pool {
    jobs: Option<Sender<Job>>,
    worker: Option<JoinHandle<u32>>,
}

impl Pool {
    fn new() -> Pool {
        let (jobs, inbox) = channel::<Job>();
        let worker = thread::spawn(move || {
            let mut sum = 0;
            for job in inbox {
                sum += job();
            }
            sum
        });
        Pool { jobs: Some(jobs), worker: Some(worker) }
    }

    fn run(&self, job: impl FnOnce() -> u32 + Send + 'static) {
        self.jobs.as_ref().unwrap().send(Box::new(job)).unwrap();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.jobs.take());
        let sum = self.worker.take().unwrap().join().unwrap();
        println!("{sum}");
    }
}

// The pool joins its worker while it still has the sender whose end the worker waits for.
fn main() {
    let pool = Pool::new();
    pool.run(|| 3);
    pool.run(|| 4);
}
