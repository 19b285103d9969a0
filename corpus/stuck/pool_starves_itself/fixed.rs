use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Clone)]
struct Pool(Sender<Job>);

impl Pool {
    fn new(workers: usize) -> Pool {
        let (jobs, inbox) = channel::<Job>();
        let inbox = Arc::new(Mutex::new(inbox));
        for _ in 0..workers {
            let inbox = inbox.clone();
            thread::spawn(move || {
                loop {
                    let Ok(job) = inbox.lock().unwrap().recv() else { break };
                    job();
                }
            });
        }
        Pool(jobs)
    }

    fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> T {
        let (result, answer) = channel();
        self.0.send(Box::new(move || drop(result.send(job())))).unwrap();
        answer.recv().unwrap()
    }
}

fn total(pool: &Pool, orders: [u32; 2]) -> u32 {
    orders.iter().map(|&order| pool.run(move || order * 2)).sum()
}

// The only worker runs a job that submits another one and waits for its result.
fn main() {
    let pool = Pool::new(2);
    let inner = pool.clone();
    println!("{}", pool.run(move || total(&inner, [3, 4])));
}
