use std::sync::{Arc, Mutex};
use std::thread;

// `main` joins the worker while it holds the lock that the worker wants.
fn main() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let worker = {
        let log = log.clone();
        thread::spawn(move || log.lock().unwrap().push("worker")) //~ deadlock
    };
    let mut lines = log.lock().unwrap();
    lines.push("main");
    worker.join().unwrap(); //~ deadlock
    println!("{}", lines.len());
}
