use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Pool {
    queues: Vec<Mutex<VecDeque<u32>>>,
    left: AtomicUsize,
}

impl Pool {
    fn next(&self, own: usize) -> Option<u32> {
        let mut queue = self.queues[own].lock().unwrap();
        if let Some(job) = queue.pop_front() {
            return Some(job);
        }
        for other in (0..self.queues.len()).filter(|&other| other != own) {
            let Ok(mut victim) = self.queues[other].try_lock() else { continue };
            let half = victim.len().div_ceil(2);
            queue.extend(victim.drain(..half));
            if let Some(job) = queue.pop_front() {
                return Some(job);
            }
        }
        None
    }

    fn work(&self, own: usize) -> u32 {
        let mut sum = 0;
        while self.left.load(Ordering::Acquire) > 0 {
            match self.next(own) {
                Some(job) => {
                    sum += job * job;
                    self.left.fetch_sub(1, Ordering::AcqRel);
                }
                None => thread::yield_now(),
            }
        }
        sum
    }
}

// Two workers that steal from each other hold their own queues, but the other one is only tried.
fn main() {
    let queues = vec![Mutex::new((1..=4).collect()), Mutex::new(VecDeque::new())];
    let pool = Pool { queues, left: AtomicUsize::new(4) };
    let sum = thread::scope(|scope| {
        let workers = [0, 1].map(|own| scope.spawn({ let pool = &pool; move || pool.work(own) }));
        workers.into_iter().map(|worker| worker.join().unwrap()).sum::<u32>()
    });
    println!("{sum}");
}
