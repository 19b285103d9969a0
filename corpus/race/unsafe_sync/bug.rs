use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Slot<T>(UnsafeCell<T>);

unsafe impl<T: Send> Sync for Slot<T> {}

impl<T: Copy> Slot<T> {
    fn set(&self, value: T) {
        unsafe { *self.0.get() = value } //~ data-race
    }

    fn get(&self) -> T {
        unsafe { *self.0.get() } //~ data-race
    }
}

// `Sync` is promised, but nothing orders `set` and `get`.
fn main() {
    let slot = Arc::new(Slot(UnsafeCell::new(0)));
    let writer = {
        let slot = slot.clone();
        thread::spawn(move || slot.set(7))
    };
    let seen = slot.get();
    writer.join().unwrap();
    println!("{}", seen == 0 || seen == 7);
}
