use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;

// The guard is gone when the send blocks, so that the receiver gets the lock.
fn main() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (sender, receiver) = sync_channel(0);
    let consumer = {
        let seen = seen.clone();
        thread::spawn(move || {
            for n in receiver {
                seen.lock().unwrap().push(n);
            }
        })
    };
    for n in 0..3 {
        let len = seen.lock().unwrap().len();
        sender.send(len * 10 + n).unwrap();
    }
    drop(sender);
    consumer.join().unwrap();
    println!("{}", seen.lock().unwrap().len());
}
