//! The fence that concurrent-queue and event-listener write on x86: a locked instruction on a local.

use std::arch::asm;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

static DATA: AtomicU32 = AtomicU32::new(0);
static READY: AtomicBool = AtomicBool::new(false);

fn full_fence() -> usize {
    let local = UnsafeCell::new(5_usize);
    unsafe {
        asm!("lock not qword ptr [{0}]", in(reg) local.get(), options(nostack, preserves_flags));
    }
    local.into_inner()
}

fn main() {
    println!("{:x}", full_fence());
    let writer = thread::spawn(|| {
        DATA.store(7, Ordering::Relaxed);
        full_fence();
        READY.store(true, Ordering::Relaxed);
    });
    while !READY.load(Ordering::Relaxed) {
        thread::yield_now();
    }
    full_fence();
    println!("{}", DATA.load(Ordering::Relaxed));
    writer.join().unwrap();
}
