use std::cell::UnsafeCell;
use std::io::{Read, Write, pipe};
use std::thread;

struct Shared(UnsafeCell<u32>);

// SAFETY: who reads has received a byte that was sent after the write.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(0));

// The byte in the pipe orders the read after the write.
fn main() {
    let (mut reader, mut writer) = pipe().unwrap();
    let thread = thread::spawn(move || {
        unsafe { *SHARED.0.get() = 7 };
        writer.write_all(&[1]).unwrap();
    });
    let mut byte = [0];
    reader.read_exact(&mut byte).unwrap();
    println!("{}", unsafe { *SHARED.0.get() });
    thread.join().unwrap();
}
