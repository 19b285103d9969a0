//! A server is asked to stop while a client still sends requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

// The server may stop at any time, so a request that nobody receives is put aside.
fn main() {
    let (requests, inbox) = mpsc::channel::<u32>();
    let runs = Arc::new(AtomicBool::new(true));
    let shared = runs.clone();
    let server = thread::spawn(move || {
        shared.store(false, Ordering::SeqCst);
        drop(inbox);
    });
    let mut unsent = Vec::new();
    if let Err(request) = requests.send(1) {
        unsent.push(request.0);
    }
    assert!(unsent.is_empty() || !runs.load(Ordering::SeqCst));
    server.join().unwrap();
}
