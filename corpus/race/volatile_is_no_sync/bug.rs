use std::ptr::{addr_of, addr_of_mut};
use std::thread;

static mut READY: bool = false;
static mut REGISTERS: [u32; 4] = [0; 4];

fn configure() {
    unsafe { REGISTERS[2] = 0x1f }; //~ data-race
    unsafe { addr_of_mut!(READY).write_volatile(true) };
}

fn is_ready() -> bool {
    unsafe { addr_of!(READY).read_volatile() }
}

fn dump() -> u32 {
    unsafe { (*addr_of!(REGISTERS)).iter().sum() } //~ data-race
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
