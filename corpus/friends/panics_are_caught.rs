use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct CountDown<'a>(&'a Latch);

struct Latch {
    left: Mutex<usize>,
    zero: Condvar,
}

impl Drop for CountDown<'_> {
    fn drop(&mut self) {
        let mut left = self.0.left.lock().unwrap();
        *left -= 1;
        if *left == 0 {
            self.0.zero.notify_all();
        }
    }
}

fn job(latch: &Latch, results: &Sender<Result<u32, String>>, text: &str) {
    let _count = CountDown(latch);
    let result = panic::catch_unwind(AssertUnwindSafe(|| text.parse::<u32>().unwrap()));
    let result = result.map_err(|payload| payload.downcast_ref::<String>().cloned().unwrap_or_default());
    results.send(result).unwrap();
    if text.is_empty() {
        panic!("nothing to do");
    }
}

// Every way out of a job counts down, also a panic, which happens while no lock is held.
fn main() {
    panic::set_hook(Box::new(|_| ()));
    let latch = Arc::new(Latch { left: Mutex::new(3), zero: Condvar::new() });
    let (results, all) = mpsc::channel();
    let threads = ["1", "two", ""].map(|text| {
        let (latch, results) = (latch.clone(), results.clone());
        thread::spawn(move || job(&latch, &results, text))
    });
    drop(results);
    drop(latch.zero.wait_while(latch.left.lock().unwrap(), |left| *left > 0).unwrap());
    let failed = threads.into_iter().filter(|_| true).map(thread::JoinHandle::join).filter(Result::is_err).count();
    println!("{} {failed}", all.iter().filter(Result::is_ok).count());
}
