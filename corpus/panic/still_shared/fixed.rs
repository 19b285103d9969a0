//! A worker adds to a total that its owner takes out at the end.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
};

// The worker lets its share go before it says that the total is complete.
fn main() {
    let total = Arc::new(Mutex::new(0));
    let (done, is_done) = mpsc::channel();
    let shared = Arc::clone(&total);
    let worker = thread::spawn(move || {
        *shared.lock().unwrap() += 5;
        println!("the total is {}", shared.lock().unwrap());
        drop(shared);
        done.send(()).unwrap();
    });
    is_done.recv().unwrap();
    let total = Arc::into_inner(total).unwrap();
    assert_eq!(total.into_inner().unwrap(), 5);
    worker.join().unwrap();
}
