//! A log of two lines, which is checked at the end.

use std::{
    sync::{Arc, Mutex},
    thread,
};

fn check(log: &[&str]) -> Result<(), String> {
    match log {
        ["open", "close"] => Ok(()),
        other => Err(format!("unexpected log {other:?}")),
    }
}

// The first line is written before the thread starts.
fn main() -> Result<(), String> {
    let log = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&log);
    log.lock().unwrap().push("open");
    let closer = thread::spawn(move || own.lock().unwrap().push("close"));
    closer.join().unwrap();
    check(&log.lock().unwrap())
}
