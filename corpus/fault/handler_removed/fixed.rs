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
    let address = HANDLER.load(Ordering::Acquire);
    if address != 0 {
        let handler: fn(u32) = unsafe { std::mem::transmute(address) };
        handler(line);
    }
}

// The handler is asked for once.
fn main() {
    HANDLER.store(log as fn(u32) as usize, Ordering::Release);
    let worker = thread::spawn(|| {
        emit(1);
        emit(2);
    });
    HANDLER.store(0, Ordering::Release);
    worker.join().unwrap();
}
