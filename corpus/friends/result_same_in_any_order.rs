//! Workers whose results come in any order.

use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
    thread,
};

// The order differs; the sum, which the status depends on, does not.
fn main() -> ExitCode {
    let results = Arc::new(Mutex::new(Vec::new()));
    let workers: Vec<_> = (1..=3)
        .map(|number| {
            let results = Arc::clone(&results);
            thread::spawn(move || results.lock().unwrap().push(number))
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    let results = results.lock().unwrap();
    println!("{results:?}");
    if results.iter().sum::<u32>() == 6 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
