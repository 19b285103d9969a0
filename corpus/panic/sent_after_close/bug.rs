//! A server is asked to stop while a client still sends requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

// The server may stop after the client has seen that it runs, and before the request is sent.
fn main() {
    let (requests, inbox) = mpsc::channel::<u32>();
    let runs = Arc::new(AtomicBool::new(true));
    let shared = runs.clone();
    let server = thread::spawn(move || {
        shared.store(false, Ordering::SeqCst);
        drop(inbox);
    });
    if runs.load(Ordering::SeqCst) {
        requests.send(1).unwrap(); //~ schedule-dependent-panic
    }
    server.join().unwrap();
}
