use std::hint;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::thread;

struct Position {
    version: AtomicUsize,
    x: AtomicU32,
}

impl Position {
    fn store(&self, x: u32) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version + 1, Ordering::Relaxed);
        fence(Ordering::Release);
        self.x.store(x, Ordering::Relaxed);
        self.version.store(version + 2, Ordering::Release);
    }

    fn load(&self) -> u32 {
        loop {
            let before = self.version.load(Ordering::Acquire);
            let x = self.x.load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            if before.is_multiple_of(2) && before == self.version.load(Ordering::Relaxed) {
                return x;
            }
            hint::spin_loop();
        }
    }
}

static POSITION: Position = Position { version: AtomicUsize::new(0), x: AtomicU32::new(1) };

// A version that has changed tells the reader to try again, but it has read plain memory by then.
fn main() {
    let writer = thread::spawn(|| POSITION.store(2));
    let seen = POSITION.load();
    println!("{}", seen == 1 || seen == 2);
    writer.join().unwrap();
}
