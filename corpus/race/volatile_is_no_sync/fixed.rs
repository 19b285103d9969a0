use std::ptr::{addr_of, addr_of_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static mut REGISTERS: [u32; 4] = [0; 4];

fn configure() {
    unsafe { REGISTERS[2] = 0x1f };
    READY.store(true, Ordering::Release);
}

fn is_ready() -> bool {
    READY.load(Ordering::Acquire)
}

fn dump() -> u32 {
    unsafe { (*addr_of!(REGISTERS)).iter().sum() }
}

// A volatile flag is seen by the other thread but brings nothing along.
fn main() {
    let board = thread::spawn(configure);
    while !is_ready() {
        thread::yield_now();
    }
    println!("{:#x}", dump());
    board.join().unwrap();
    _ = addr_of_mut!(REGISTERS);
}
