use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex};
use std::thread;

struct Slot<T>(UnsafeCell<T>, Mutex<()>);

unsafe impl<T: Send> Sync for Slot<T> {}

impl<T: Copy> Slot<T> {
    fn set(&self, value: T) {
        let _held = self.1.lock().unwrap();
        unsafe { *self.0.get() = value }
    }

    fn get(&self) -> T {
        let _held = self.1.lock().unwrap();
        unsafe { *self.0.get() }
    }
}

// `Sync` is promised, but nothing orders `set` and `get`.
fn main() {
    let slot = Arc::new(Slot(UnsafeCell::new(0), Mutex::new(())));
    let writer = {
        let slot = slot.clone();
        thread::spawn(move || slot.set(7))
    };
    let seen = slot.get();
    writer.join().unwrap();
    println!("{}", seen == 0 || seen == 7);
}
