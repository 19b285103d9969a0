//! A setting that two threads provide, one of them as a default.

use std::{
    process,
    sync::{Arc, OnceLock},
    thread,
};

// The default only counts when the real setting has had its chance.
fn main() {
    let port = Arc::new(OnceLock::new());
    let own = Arc::clone(&port);
    let reader = thread::spawn(move || own.set(8080).is_ok());
    reader.join().unwrap();
    let found = *port.get_or_init(|| 80);
    if found != 8080 {
        process::exit(2);
    }
}
