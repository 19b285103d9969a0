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

// Nothing makes the line of the thread the second one.
fn main() -> Result<(), String> {
    let log = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&log);
    let closer = thread::spawn(move || own.lock().unwrap().push("close"));
    log.lock().unwrap().push("open");
    closer.join().unwrap();
    check(&log.lock().unwrap())
} //~ schedule-dependent-result
