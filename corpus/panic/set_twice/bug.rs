//! Two threads provide a configuration.

use std::{
    sync::{Mutex, OnceLock},
    thread,
};

static PORTS: Mutex<Vec<u16>> = Mutex::new(Vec::new());
static PORT: OnceLock<u16> = OnceLock::new();

fn configure() {
    if PORT.get().is_none() {
        let port = PORTS.lock().unwrap().len() as u16 + 80;
        PORT.set(port).unwrap(); //~ schedule-dependent-panic
    }
}

// Both threads may find the cell empty, and then the second one sets it again.
fn main() {
    let other = thread::spawn(configure);
    configure();
    other.join().unwrap();
    assert!(PORT.get().is_some());
}
