//! Two threads provide a configuration.

use std::{
    sync::{Mutex, OnceLock},
    thread,
};

static PORTS: Mutex<Vec<u16>> = Mutex::new(Vec::new());
static PORT: OnceLock<u16> = OnceLock::new();

fn configure() {
    PORT.get_or_init(|| PORTS.lock().unwrap().len() as u16 + 80);
}

// Whoever comes first sets the cell, and the other one takes what is there.
fn main() {
    let other = thread::spawn(configure);
    configure();
    other.join().unwrap();
    assert!(PORT.get().is_some());
}
