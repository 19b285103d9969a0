//! A worker may find nothing to do.

use std::{
    sync::{Arc, Mutex},
    thread,
};

// The worker panics if it comes too early, and whoever joins it does the work then.
fn main() {
    let slot = Arc::new(Mutex::new(None));
    let shared = slot.clone();
    let worker = thread::spawn(move || {
        let value: Option<i32> = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        value.unwrap()
    });
    *slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(7);
    let value = match worker.join() {
        Ok(value) => value,
        Err(_) => 7,
    };
    assert_eq!(value, 7);
}
