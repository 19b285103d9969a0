//! Two threads that look for the same thing.

use std::{process::ExitCode, sync::OnceLock, thread};

static FOUND: OnceLock<u32> = OnceLock::new();

// It does not matter which of them is first.
fn main() -> ExitCode {
    let other = thread::spawn(|| FOUND.set(1).is_ok());
    let is_first = FOUND.set(2).is_ok();
    let is_other_first = other.join().unwrap();
    if is_first != is_other_first { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
