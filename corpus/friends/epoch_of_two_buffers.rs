use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

struct LeftRight<T> {
    sides: [UnsafeCell<T>; 2],
    active: AtomicUsize,
    readers: [AtomicUsize; 2],
    writer: Mutex<()>,
}

unsafe impl<T: Send + Sync> Sync for LeftRight<T> {}

impl<T: Clone> LeftRight<T> {
    fn new(value: T) -> Self {
        LeftRight {
            sides: [UnsafeCell::new(value.clone()), UnsafeCell::new(value)],
            active: AtomicUsize::new(0),
            readers: Default::default(),
            writer: Mutex::new(()),
        }
    }

    fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        loop {
            let side = self.active.load(Ordering::SeqCst);
            self.readers[side].fetch_add(1, Ordering::SeqCst);
            if self.active.load(Ordering::SeqCst) == side {
                let result = look(unsafe { &*self.sides[side].get() });
                self.readers[side].fetch_sub(1, Ordering::Release);
                return result;
            }
            self.readers[side].fetch_sub(1, Ordering::Release);
        }
    }

    fn wait_until_empty(&self, side: usize) {
        while self.readers[side].load(Ordering::SeqCst) > 0 {
            thread::yield_now();
        }
    }

    fn write(&self, change: impl Fn(&mut T)) {
        let _writer = self.writer.lock().unwrap();
        let active = self.active.load(Ordering::SeqCst);
        self.wait_until_empty(1 - active);
        change(unsafe { &mut *self.sides[1 - active].get() });
        self.active.store(1 - active, Ordering::SeqCst);
        self.wait_until_empty(active);
        change(unsafe { &mut *self.sides[active].get() });
    }
}

// The writer changes the side without readers first, sends new readers there, and waits for those of the other.
fn main() {
    let names = Arc::new(LeftRight::new(vec!["ann"]));
    let writers = ["bob", "cid"].map(|name| {
        let names = names.clone();
        thread::spawn(move || names.write(|names| names.push(name)))
    });
    let count = names.read(|names| names.len());
    let again = names.read(|names| names.iter().map(|name| name.len()).sum::<usize>());
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    println!("{} {}", count <= again, names.read(Vec::len));
}
