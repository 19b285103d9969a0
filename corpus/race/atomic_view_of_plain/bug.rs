use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

#[repr(C)]
struct Header {
    magic: u32,
    version: u32,
    length: UnsafeCell<u64>,
}

unsafe impl Sync for Header {}

impl Header {
    fn atomic_length(&self) -> &AtomicU64 {
        unsafe { AtomicU64::from_ptr(self.length.get()) }
    }

    fn grow(&self, by: u64) {
        self.atomic_length().fetch_add(by, Ordering::AcqRel); //~ data-race
    }

    fn length(&self) -> u64 {
        unsafe { *self.length.get() } //~ data-race
    }
}

// The length is changed atomically but read like plain memory.
fn main() {
    let header = Header { magic: 0x464c_457f, version: 1, length: UnsafeCell::new(64) };
    thread::scope(|scope| {
        scope.spawn(|| header.grow(16));
        let length = header.length();
        println!("{}", length >= 64 && header.magic != header.version);
    });
}
