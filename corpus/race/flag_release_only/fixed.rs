use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Report {
    pages: UnsafeCell<u32>,
    ready: AtomicBool,
}

unsafe impl Sync for Report {}

impl Report {
    fn publish(&self, pages: u32) {
        unsafe { *self.pages.get() = pages }
        self.ready.store(true, Ordering::Release);
    }

    fn pages(&self) -> Option<u32> {
        self.ready.load(Ordering::Acquire).then(|| unsafe { *self.pages.get() })
    }
}

// The writer releases, but the reader does not acquire.
fn main() {
    let report = Arc::new(Report { pages: UnsafeCell::new(0), ready: AtomicBool::new(false) });
    let writer = {
        let report = report.clone();
        thread::spawn(move || report.publish(12))
    };
    let mut pages = report.pages();
    while pages.is_none() {
        thread::yield_now();
        pages = report.pages();
    }
    println!("{pages:?}");
    writer.join().unwrap();
}
