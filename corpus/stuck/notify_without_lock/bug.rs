use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

#[derive(Default)]
struct Download {
    complete: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Download {
    fn finish(&self) {
        self.complete.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut held = self.lock.lock().unwrap();
        while !self.complete.load(Ordering::SeqCst) {
            held = self.changed.wait(held).unwrap(); //~ deadlock
        }
    }
}

// The notification can come between the look at the flag and the wait, for it is not sent under the lock.
fn main() {
    let download = Arc::new(Download::default());
    let worker = {
        let download = download.clone();
        thread::spawn(move || download.finish())
    };
    download.wait();
    println!("complete");
    worker.join().unwrap();
}
