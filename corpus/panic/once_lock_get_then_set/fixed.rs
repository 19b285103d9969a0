//! A name that the first of two threads sets.

use std::{sync::OnceLock, thread};

static NAME: OnceLock<&str> = OnceLock::new();

// `get_or_init` sets the name once, whoever comes first.
fn main() {
    let other = thread::spawn(|| {
        println!("started");
        NAME.get_or_init(|| "other");
    });
    NAME.get_or_init(|| "main");
    other.join().unwrap();
    assert!(NAME.get().is_some());
}
