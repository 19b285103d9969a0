//! A consumer that polls a channel.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
};

// The producer may find the work taken and send nothing. The consumer takes the end of the channel for a pause.
fn main() {
    let work = Arc::new(Mutex::new(Some(7)));
    let (sender, receiver) = mpsc::channel();
    let own = Arc::clone(&work);
    let producer = thread::spawn(move || {
        if let Some(job) = own.lock().unwrap().take() {
            sender.send(job).unwrap();
        }
    });
    let helper = thread::spawn(move || {
        let job = work.lock().unwrap().take();
        println!("{job:?}");
    });
    while receiver.try_recv().is_err() { //~ livelock
        thread::yield_now();
    }
    producer.join().unwrap();
    helper.join().unwrap();
}
