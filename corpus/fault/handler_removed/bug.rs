//! A handler that the program removes when it stops.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

static HANDLER: AtomicUsize = AtomicUsize::new(0);

fn log(line: u32) {
    println!("line {line}");
}

fn emit(line: u32) {
    if HANDLER.load(Ordering::Acquire) != 0 {
        let handler: fn(u32) = unsafe { std::mem::transmute(HANDLER.load(Ordering::Acquire)) };
        handler(line); //~ schedule-dependent-fault
    }
}

// The handler is asked for twice: whether there is one, and which one.
fn main() {
    HANDLER.store(log as fn(u32) as usize, Ordering::Release);
    let worker = thread::spawn(|| {
        emit(1);
        emit(2);
    });
    HANDLER.store(0, Ordering::Release);
    worker.join().unwrap();
}
