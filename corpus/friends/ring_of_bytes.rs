use std::cell::UnsafeCell;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Ring<const N: usize> {
    bytes: UnsafeCell<[u8; N]>,
    read: AtomicUsize,
    written: AtomicUsize,
}

unsafe impl<const N: usize> Sync for Ring<N> {}

impl<const N: usize> Ring<N> {
    fn write(&self, data: &[u8]) -> usize {
        let written = self.written.load(Ordering::Relaxed);
        let room = N - (written - self.read.load(Ordering::Acquire));
        let count = room.min(data.len());
        let start = written % N;
        let first = count.min(N - start);
        unsafe {
            let bytes = self.bytes.get().cast::<u8>();
            ptr::copy_nonoverlapping(data.as_ptr(), bytes.add(start), first);
            ptr::copy_nonoverlapping(data.as_ptr().add(first), bytes, count - first);
        }
        self.written.store(written + count, Ordering::Release);
        count
    }

    fn read(&self, data: &mut [u8]) -> usize {
        let read = self.read.load(Ordering::Relaxed);
        let count = (self.written.load(Ordering::Acquire) - read).min(data.len());
        let start = read % N;
        let first = count.min(N - start);
        unsafe {
            let bytes = self.bytes.get().cast::<u8>();
            ptr::copy_nonoverlapping(bytes.add(start), data.as_mut_ptr(), first);
            ptr::copy_nonoverlapping(bytes, data.as_mut_ptr().add(first), count - first);
        }
        self.read.store(read + count, Ordering::Release);
        count
    }
}

// The writer copies into what was read, and the reader out of what was written, also where the ring wraps round.
fn main() {
    let ring = Arc::new(Ring::<5> { bytes: UnsafeCell::new([0; 5]), read: AtomicUsize::new(0), written: AtomicUsize::new(0) });
    let writer = thread::spawn({
        let ring = ring.clone();
        move || {
            let mut text = &b"hello, ring of bytes"[..];
            while !text.is_empty() {
                text = &text[ring.write(text)..];
                thread::yield_now();
            }
        }
    });
    let mut text = Vec::new();
    let mut part = [0; 3];
    while text.len() < 20 {
        let count = ring.read(&mut part);
        text.extend_from_slice(&part[..count]);
        thread::yield_now();
    }
    writer.join().unwrap();
    println!("{}", String::from_utf8_lossy(&text));
}
