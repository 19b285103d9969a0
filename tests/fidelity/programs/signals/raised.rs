//! Handlers run before `raise` returns; a signal that its own handler raises waits until that returns.
use std::sync::atomic::{AtomicI32, Ordering};

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
    fn raise(number: i32) -> i32;
}

const SIGUSR1: i32 = 10;
const SIGUSR2: i32 = 12;
const SIGTERM: i32 = 15;
static DEPTH: AtomicI32 = AtomicI32::new(0);
static LEFT: AtomicI32 = AtomicI32::new(2);

extern "C" fn first(number: i32) {
    let depth = DEPTH.fetch_add(1, Ordering::Relaxed);
    println!("first: {number} at {depth}");
    if LEFT.fetch_sub(1, Ordering::Relaxed) > 0 {
        unsafe { raise(SIGUSR1) };
        println!("first: raised again");
        unsafe { raise(SIGUSR2) };
    }
    println!("first: done");
    DEPTH.fetch_sub(1, Ordering::Relaxed);
}

extern "C" fn second(number: i32) {
    println!("second: {number} at {}", DEPTH.load(Ordering::Relaxed));
}

fn main() {
    let before = unsafe { signal(SIGUSR1, first as *const () as usize) };
    println!("before: {before}");
    let before = unsafe { signal(SIGUSR1, first as *const () as usize) };
    println!("same: {}", before == first as *const () as usize);
    unsafe { signal(SIGUSR2, second as *const () as usize) };
    println!("raise: {}", unsafe { raise(SIGUSR1) });
    println!("raise: {}", unsafe { raise(SIGUSR2) });
    unsafe { signal(SIGUSR2, 1) };
    println!("ignored: {}", unsafe { raise(SIGUSR2) });
    println!("none: {}", unsafe { raise(0) });
    println!("no signal: {} {}", unsafe { raise(65) }, std::io::Error::last_os_error());
    println!("kill: {}", unsafe { signal(9, 1) } as isize);
    unsafe { raise(SIGTERM) };
    println!("not reached");
}
