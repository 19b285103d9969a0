use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Scratch {
    in_use: AtomicBool,
    bytes: UnsafeCell<[u8; 8]>,
}

struct Pool {
    items: [Scratch; 2],
}

unsafe impl Sync for Pool {}

static POOL: Pool =
    Pool { items: [const { Scratch { in_use: AtomicBool::new(false), bytes: UnsafeCell::new([0; 8]) } }; 2] };

fn checksum(seed: u8) -> u8 {
    let scratch = loop {
        let free = POOL.items.iter().find(|item| {
            let free = !item.in_use.load(Ordering::Acquire);
            free.then(|| item.in_use.store(true, Ordering::Release)).is_some()
        });
        match free {
            Some(item) => break item,
            None => thread::yield_now(),
        }
    };
    let bytes = unsafe { &mut *scratch.bytes.get() };
    bytes[0] = seed; //~ data-race
    let sum = seed.wrapping_mul(31);
    scratch.in_use.store(false, Ordering::Release);
    sum
}

// Two threads can find the same item free before either of them marks it.
fn main() {
    let workers = [3, 5].map(|seed| thread::spawn(move || checksum(seed)));
    println!("{:?}", workers.map(|worker| worker.join().unwrap()));
}
