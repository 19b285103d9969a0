use std::cell::UnsafeCell;
use std::sync::{Mutex, MutexGuard};
use std::thread;

struct Heap {
    lock: Mutex<()>,
    top: UnsafeCell<usize>,
}

unsafe impl Sync for Heap {}

struct Entered<'a>(#[expect(dead_code)] MutexGuard<'a, ()>);

impl Heap {
    fn enter(&self) -> Entered<'_> {
        Entered(self.lock.lock().unwrap())
    }

    fn allocate(&self, size: usize) -> usize {
        let _ = self.enter();
        let top = self.top.get();
        unsafe {
            *top += size; //~ data-race
            *top - size
        }
    }
}

static HEAP: Heap = Heap { lock: Mutex::new(()), top: UnsafeCell::new(0) };

// `let _` does not keep the guard: the lock is free again in the next line.
fn main() {
    let other = thread::spawn(|| HEAP.allocate(16));
    let mine = HEAP.allocate(32);
    println!("{}", mine + other.join().unwrap() <= 48);
}
