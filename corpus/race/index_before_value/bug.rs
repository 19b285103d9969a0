use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Log {
    lines: [UnsafeCell<u32>; 4],
    reserved: AtomicUsize,
    written: AtomicUsize,
}

unsafe impl Sync for Log {}

static LOG: Log =
    Log { lines: [const { UnsafeCell::new(0) }; 4], reserved: AtomicUsize::new(0), written: AtomicUsize::new(0) };

fn append(line: u32) {
    let index = LOG.reserved.fetch_add(1, Ordering::AcqRel);
    unsafe { *LOG.lines[index].get() = line }; //~ data-race
    LOG.written.fetch_add(1, Ordering::AcqRel);
}

fn last() -> Option<u32> {
    let len = LOG.reserved.load(Ordering::Acquire);
    (len > 0).then(|| unsafe { *LOG.lines[len - 1].get() }) //~ data-race
}

// The reader goes by the counter that says which lines are reserved, not which are written.
fn main() {
    let writer = thread::spawn(|| append(3));
    println!("{}", last().is_none_or(|line| line < 4));
    writer.join().unwrap();
}
