use std::cell::UnsafeCell;
use std::sync::atomic::fence;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Log {
    lines: [UnsafeCell<u32>; 4],
    written: AtomicUsize,
}

unsafe impl Sync for Log {}

impl Log {
    fn write(&self, line: u32) {
        let at = self.written.load(Ordering::Relaxed);
        unsafe { *self.lines[at].get() = line };
        fence(Ordering::Release);
        self.written.store(at + 1, Ordering::Relaxed);
    }

    fn last(&self) -> Option<u32> {
        let written = self.written.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let at = written.checked_sub(1)?;
        Some(unsafe { *self.lines[at].get() })
    }
}

static LOG: Log = Log { lines: [const { UnsafeCell::new(0) }; 4], written: AtomicUsize::new(0) };

// A compiler fence orders nothing between threads.
fn main() {
    let writer = thread::spawn(|| (1..=4).for_each(|line| LOG.write(line)));
    let last = LOG.last();
    writer.join().unwrap();
    println!("{}", last.is_none_or(|line| line <= 4));
}
