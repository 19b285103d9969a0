//! Numbers that two threads draw from one counter.

use std::{
    collections::BTreeSet,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

fn draw(counter: &AtomicU64) -> u64 {
    counter.fetch_add(1, Ordering::SeqCst)
}

// A number is read and replaced in one step.
fn main() -> ExitCode {
    let counter = Arc::new(AtomicU64::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let counter = Arc::clone(&counter);
            thread::spawn(move || draw(&counter))
        })
        .collect();
    let numbers: BTreeSet<u64> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    if numbers.len() == 2 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
