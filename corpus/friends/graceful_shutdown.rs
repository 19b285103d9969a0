use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

#[derive(Default)]
struct Shared {
    queue: Mutex<VecDeque<u32>>,
    changed: Condvar,
    stopping: AtomicBool,
}

struct Server {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<u32>>,
    monitor: Option<JoinHandle<usize>>,
}

impl Server {
    fn start(count: usize) -> Server {
        let shared = Arc::new(Shared::default());
        let workers = (0..count)
            .map(|n| {
                let shared = shared.clone();
                thread::Builder::new().name(format!("worker {n}")).spawn(move || Server::work(&shared)).unwrap()
            })
            .collect();
        let watched = Arc::downgrade(&shared);
        let monitor = thread::spawn(move || {
            let mut looks = 0;
            while let Some(shared) = watched.upgrade() {
                if shared.stopping.load(Ordering::Acquire) {
                    break;
                }
                looks += shared.queue.lock().unwrap().len().min(1);
                drop(shared);
                thread::park_timeout(Duration::from_millis(5));
            }
            looks
        });
        Server { shared, workers, monitor: Some(monitor) }
    }

    fn work(shared: &Shared) -> u32 {
        let mut done = 0;
        let mut queue = shared.queue.lock().unwrap();
        loop {
            match queue.pop_front() {
                Some(job) => {
                    drop(queue);
                    done += job;
                    queue = shared.queue.lock().unwrap();
                }
                None if shared.stopping.load(Ordering::Relaxed) => return done,
                None => queue = shared.changed.wait(queue).unwrap(),
            }
        }
    }

    fn submit(&self, job: u32) {
        self.shared.queue.lock().unwrap().push_back(job);
        self.shared.changed.notify_one();
    }

    fn stop(mut self) -> u32 {
        {
            let _queue = self.shared.queue.lock().unwrap();
            self.shared.stopping.store(true, Ordering::Release);
        }
        self.shared.changed.notify_all();
        if let Some(monitor) = self.monitor.take() {
            monitor.thread().unpark();
            monitor.join().unwrap();
        }
        self.workers.drain(..).map(|worker| worker.join().unwrap()).sum()
    }
}

// The flag is atomic but set under the lock under which the workers look at it before they wait.
fn main() {
    let server = Server::start(2);
    (1..=4).for_each(|job| server.submit(job));
    println!("{}", server.stop());
}
