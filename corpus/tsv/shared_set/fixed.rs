use std::cell::UnsafeCell;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::{Arc, Barrier};
use std::thread;

struct Seen {
    urls: UnsafeCell<HashSet<&'static str>>,
    lock: Mutex<()>,
}

unsafe impl Sync for Seen {}

impl Seen {
    fn first_visit(&self, url: &'static str) -> bool {
        let _held = self.lock.lock().unwrap();
        unsafe { (*self.urls.get()).insert(url) }
    }
}

// Two crawlers start together and note what they have seen in one set.
fn main() {
    let seen = Arc::new(Seen { urls: UnsafeCell::default(), lock: Mutex::new(()) });
    let start = Arc::new(Barrier::new(2));
    let crawlers = ["/a", "/b"].map(|url| {
        let (seen, start) = (seen.clone(), start.clone());
        thread::spawn(move || {
            start.wait();
            seen.first_visit(url)
        })
    });
    println!("{:?}", crawlers.map(|crawler| crawler.join().unwrap()));
}
