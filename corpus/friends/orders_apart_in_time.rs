use std::sync::{Arc, Mutex};
use std::thread;

// The second thread starts when the first, with the other order, has been joined.
fn main() {
    let locks = Arc::new((Mutex::new(1), Mutex::new(2)));
    let pair = locks.clone();
    thread::spawn(move || {
        let a = pair.0.lock().unwrap();
        *pair.1.lock().unwrap() += *a;
    })
    .join()
    .unwrap();
    let pair = locks.clone();
    thread::spawn(move || {
        let b = pair.1.lock().unwrap();
        *pair.0.lock().unwrap() += *b;
    })
    .join()
    .unwrap();
    println!("{}", locks.0.lock().unwrap());
}
