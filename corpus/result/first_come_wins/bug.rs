//! A setting that two threads provide, one of them as a default.

use std::{
    process,
    sync::{Arc, OnceLock},
    thread,
};

// Whoever comes first sets it: the default may win over the real setting.
fn main() {
    let port = Arc::new(OnceLock::new());
    let own = Arc::clone(&port);
    let reader = thread::spawn(move || own.set(8080).is_ok());
    let found = *port.get_or_init(|| 80);
    reader.join().unwrap();
    if found != 8080 {
        process::exit(2); //~ schedule-dependent-result
    }
}
