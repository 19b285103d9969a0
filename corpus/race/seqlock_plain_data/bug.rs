use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::thread;

struct Position {
    version: AtomicUsize,
    x: UnsafeCell<u32>,
}

unsafe impl Sync for Position {}

impl Position {
    fn store(&self, x: u32) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        unsafe { *self.x.get() = x }; //~ data-race
        self.version.store(version + 2, Ordering::Release);
    }

    fn load(&self) -> u32 {
        loop {
            let before = self.version.load(Ordering::Acquire);
            let x = unsafe { *self.x.get() }; //~ data-race
            fence(Ordering::Acquire);
            if before.is_multiple_of(2) && before == self.version.load(Ordering::Relaxed) {
                return x;
            }
            hint::spin_loop();
        }
    }
}

static POSITION: Position = Position { version: AtomicUsize::new(0), x: UnsafeCell::new(1) };

// A version that has changed tells the reader to try again, but it has read plain memory by then.
fn main() {
    let writer = thread::spawn(|| POSITION.store(2));
    let seen = POSITION.load();
    println!("{}", seen == 1 || seen == 2);
    writer.join().unwrap();
}
