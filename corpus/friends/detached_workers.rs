use std::sync::{Arc, Condvar, Mutex};
use std::thread;

// Detached threads still wait, for a lock and for a notification, when `main` ends the process.
fn main() {
    let state = Arc::new((Mutex::new(0), Condvar::new()));
    for n in 1..3 {
        let state = state.clone();
        thread::spawn(move || {
            let sum = state.0.lock().unwrap();
            let mut sum = state.1.wait_while(sum, |sum| *sum < 10).unwrap();
            *sum += n;
        });
    }
    let mut sum = state.0.lock().unwrap();
    *sum += 1;
    println!("{sum}");
}
