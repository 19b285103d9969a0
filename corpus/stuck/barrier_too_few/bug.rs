use std::sync::{Arc, Barrier};
use std::thread;

const WORKERS: usize = 2;

// The barrier counts `main`, too, but `main` never comes to it.
fn main() {
    let ready = Arc::new(Barrier::new(WORKERS + 1));
    let workers: Vec<_> = (0..WORKERS)
        .map(|i| {
            let ready = ready.clone();
            thread::spawn(move || {
                let prepared = i * 10;
                ready.wait(); //~ deadlock
                prepared
            })
        })
        .collect();
    for worker in workers {
        println!("{}", worker.join().unwrap()); //~ deadlock
    }
}
