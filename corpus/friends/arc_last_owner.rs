use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Counter(UnsafeCell<u32>);

unsafe impl Sync for Counter {}

impl Drop for Counter {
    fn drop(&mut self) {
        assert_eq!(*self.0.get_mut(), 1);
    }
}

// One thread writes; whoever drops the last `Arc` reads after that.
fn main() {
    let counter = Arc::new(Counter(UnsafeCell::new(0)));
    let writer = {
        let counter = counter.clone();
        thread::spawn(move || unsafe { *counter.0.get() = 1 })
    };
    drop(counter);
    writer.join().unwrap();
}
