use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    number: u32,
    checksum: u32,
}

struct DoubleBuffer {
    frames: [UnsafeCell<Frame>; 2],
    front: AtomicUsize,
    readers: AtomicUsize,
}

unsafe impl Sync for DoubleBuffer {}

impl DoubleBuffer {
    fn publish(&self, number: u32) {
        let back = 1 - self.front.load(Ordering::SeqCst);
        while self.readers.load(Ordering::SeqCst) > 0 {
            thread::yield_now();
        }
        unsafe { *self.frames[back].get() = Frame { number, checksum: !number } };
        self.front.store(back, Ordering::SeqCst);
    }

    fn latest(&self) -> Frame {
        self.readers.fetch_add(1, Ordering::SeqCst);
        let front = self.front.load(Ordering::SeqCst);
        let frame = unsafe { *self.frames[front].get() };
        self.readers.fetch_sub(1, Ordering::SeqCst);
        frame
    }
}

// Two frames later the buffer that is being read is the back one again.
fn main() {
    let buffer = Arc::new(DoubleBuffer {
        frames: Default::default(),
        front: AtomicUsize::new(0),
        readers: AtomicUsize::new(0),
    });
    buffer.publish(0);
    let camera = {
        let buffer = Arc::clone(&buffer);
        thread::spawn(move || (1..=3).for_each(|number| buffer.publish(number)))
    };
    let frame = buffer.latest();
    println!("{}", frame.number ^ frame.checksum == u32::MAX);
    camera.join().unwrap();
}
