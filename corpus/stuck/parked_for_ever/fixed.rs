use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

// The waker is told once only when the count is exactly three, and it may be told nothing at all.
fn main() {
    let done = Arc::new(AtomicU32::new(0));
    let waiter = {
        let done = done.clone();
        thread::spawn(move || {
            while done.load(Ordering::Acquire) < 2 {
                thread::park();
            }
            println!("all done");
        })
    };
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let (done, waiter) = (done.clone(), waiter.thread().clone());
            thread::spawn(move || {
                if done.fetch_add(1, Ordering::AcqRel) + 1 == 2 {
                    waiter.unpark();
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    waiter.join().unwrap();
}
