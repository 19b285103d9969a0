//! A mutex locked, its value incremented, and unlocked, by two threads that take part equally.

use std::sync::Mutex;
use std::thread;

const N: u64 = 1_000;

static COUNT: Mutex<u64> = Mutex::new(0);

fn work() {
    let mut i = 0;
    while i < N / 2 {
        *COUNT.lock().unwrap() += 1;
        i += 1;
    }
}

fn main() {
    let other = thread::spawn(work);
    work();
    other.join().unwrap();
    println!("{}", COUNT.lock().unwrap());
}
