//! A name that the first of two threads sets.

use std::{sync::OnceLock, thread};

static NAME: OnceLock<&str> = OnceLock::new();

// Whether the name is set and its setting are two steps, between which the other thread may set it.
fn main() {
    let other = thread::spawn(|| {
        println!("started");
        let _ = NAME.set("other");
    });
    if NAME.get().is_none() {
        NAME.set("main").unwrap(); //~ schedule-dependent-panic
    }
    other.join().unwrap();
    assert!(NAME.get().is_some());
}
