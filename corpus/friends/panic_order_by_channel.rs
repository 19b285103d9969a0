//! A value is taken after its owner was told that it is there.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
};

// The message comes after the value, so there always is one to unwrap.
fn main() {
    let slot = Arc::new(Mutex::new(None));
    let (ready, is_ready) = mpsc::channel();
    let shared = slot.clone();
    let producer = thread::spawn(move || {
        *shared.lock().unwrap() = Some(7);
        ready.send(()).unwrap();
    });
    is_ready.recv().unwrap();
    assert_eq!(slot.lock().unwrap().take().unwrap(), 7);
    producer.join().unwrap();
}
