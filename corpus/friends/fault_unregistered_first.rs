//! Waiters on the stack of their threads, listed under a lock.

use std::{sync::Mutex, thread};

struct Waiters(Vec<*const u32>);

unsafe impl Send for Waiters {}

static WAITERS: Mutex<Waiters> = Mutex::new(Waiters(Vec::new()));

// A waiter leaves the list, under its lock, before its stack is gone.
fn main() {
    let waiter = |id: u32| {
        let address = &raw const id;
        WAITERS.lock().unwrap().0.push(address);
        thread::yield_now();
        WAITERS.lock().unwrap().0.retain(|it| *it != address);
    };
    let threads = [thread::spawn(move || waiter(1)), thread::spawn(move || waiter(2))];
    for _ in 0..3 {
        let sum: u32 = WAITERS.lock().unwrap().0.iter().map(|it| unsafe { **it }).sum();
        assert!(sum <= 3);
    }
    threads.into_iter().for_each(|it| it.join().unwrap());
}
