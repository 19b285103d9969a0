use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Gate {
    open: Mutex<bool>,
    changed: Condvar,
}

// The wait does not look at `open` first, so a notification before it is lost.
fn main() {
    let gate = Arc::new(Gate { open: Mutex::new(false), changed: Condvar::new() });
    let opener = {
        let gate = gate.clone();
        thread::spawn(move || {
            *gate.open.lock().unwrap() = true;
            gate.changed.notify_one();
        })
    };
    let open = gate.open.lock().unwrap();
    let open = gate.changed.wait(open).unwrap(); //~ deadlock
    println!("{open}");
    drop(open);
    opener.join().unwrap();
}
