use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

struct Bitmap {
    bytes: Box<[AtomicU8]>,
}

impl Bitmap {
    fn new(bits: usize) -> Bitmap {
        Bitmap { bytes: (0..bits.div_ceil(8)).map(|_| Default::default()).collect() }
    }

    fn set(&self, bit: usize) {
        let byte = &self.bytes[bit / 8];
        byte.fetch_or(1 << (bit % 8), Ordering::Relaxed);
    }

    fn count(&self) -> u32 {
        self.bytes.iter().map(|byte| byte.load(Ordering::Relaxed).count_ones()).sum()
    }
}

fn mark_multiples(bitmap: &Bitmap, of: usize, below: usize) {
    (0..below).step_by(of).skip(2).for_each(|n| bitmap.set(n));
}

// Two bits of one byte belong to two threads, but a byte is written as a whole.
fn main() {
    let bitmap = Arc::new(Bitmap::new(20));
    let sieves: Vec<_> = [2, 7]
        .into_iter()
        .map(|of| {
            let bitmap = bitmap.clone();
            thread::spawn(move || mark_multiples(&bitmap, of, 20))
        })
        .collect();
    sieves.into_iter().for_each(|sieve| sieve.join().unwrap());
    println!("{}", bitmap.count());
}
