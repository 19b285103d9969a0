//! Workers that report errors; the status says how many.

use std::{
    process,
    sync::atomic::{AtomicI32, Ordering},
    thread,
};

static ERRORS: AtomicI32 = AtomicI32::new(0);

// Both workers succeed, in whichever order they run.
fn main() {
    let workers: Vec<_> = (0..2)
        .map(|number| {
            thread::spawn(move || {
                if number > 1 {
                    ERRORS.fetch_add(1, Ordering::AcqRel);
                }
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    process::exit(ERRORS.load(Ordering::Acquire));
}
