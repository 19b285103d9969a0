//! Workers that store results, and a `main` that checks that all are there.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
    thread,
};

// `main` counts the results before it has waited for the workers.
fn main() -> ExitCode {
    let results = Arc::new(Mutex::new(Vec::new()));
    let workers: Vec<_> = (0..3)
        .map(|number| {
            let results = Arc::clone(&results);
            thread::spawn(move || results.lock().unwrap().push(number))
        })
        .collect();
    let stored = results.lock().unwrap().len();
    for worker in workers {
        worker.join().unwrap();
    }
    match stored {
        3 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
} //~ schedule-dependent-result
