use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() -> u32 + Send>;

struct ThreadPool {
    jobs: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
}

impl ThreadPool {
    fn new(size: usize, results: &Sender<u32>) -> ThreadPool {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let workers = (0..size)
            .map(|_| {
                let (queue, results) = (queue.clone(), results.clone());
                thread::spawn(move || {
                    while let Ok(job) = { let queue = queue.lock().unwrap(); queue.recv() } {
                        results.send(job()).unwrap();
                    }
                })
            })
            .collect();
        ThreadPool { jobs: Some(jobs), workers }
    }

    fn submit(&self, job: impl FnOnce() -> u32 + Send + 'static) {
        self.jobs.as_ref().expect("not shut down").send(Box::new(job)).unwrap();
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for worker in self.workers.drain(..) {
            worker.join().unwrap();
        }
    }
}

// A worker waits for a job with the lock in hand, but all others only wait for the same job.
fn main() {
    let (results, answers) = mpsc::channel();
    let pool = ThreadPool::new(2, &results);
    drop(results);
    for n in 0..3 {
        pool.submit(move || n * n);
    }
    drop(pool);
    println!("{}", answers.iter().sum::<u32>());
}
