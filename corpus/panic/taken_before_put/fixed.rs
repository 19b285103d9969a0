//! A thread hands a value over in a slot.

use std::{
    sync::{Arc, Mutex},
    thread,
};

// The value is taken after the other thread has put it there.
fn main() {
    let slot = Arc::new(Mutex::new(None));
    let shared = slot.clone();
    let producer = thread::spawn(move || *shared.lock().unwrap() = Some(7));
    producer.join().unwrap();
    let value = slot.lock().unwrap().take().unwrap();
    assert_eq!(value, 7);
}
