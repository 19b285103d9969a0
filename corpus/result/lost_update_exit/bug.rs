//! Two deposits on one account.

use std::{
    process,
    sync::{Arc, Mutex},
    thread,
};

// Each deposit reads the balance under one lock and stores the new one under another: one of them may be lost.
fn main() {
    let balance = Arc::new(Mutex::new(0));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let balance = Arc::clone(&balance);
            thread::spawn(move || {
                let before = *balance.lock().unwrap();
                *balance.lock().unwrap() = before + 10;
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let total = *balance.lock().unwrap();
    if total != 20 {
        eprintln!("the balance is {total}");
        process::exit(1); //~ schedule-dependent-result
    }
}
