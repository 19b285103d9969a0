//! Threads that exchange messages through their stacks.

use std::{
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, Ordering},
    thread,
};

struct Packet {
    value: u32,
    ready: AtomicBool,
}

static PACKET: AtomicPtr<Packet> = AtomicPtr::new(ptr::null_mut());

fn send(value: u32) {
    let packet = Packet { value, ready: AtomicBool::new(false) };
    PACKET.store(&raw const packet as *mut Packet, Ordering::Release);
    while !packet.ready.load(Ordering::Acquire) {
        thread::yield_now();
    }
}

// The sender's frame ends after the receiver has told that it is done with it.
fn main() {
    let receiver = thread::spawn(|| {
        let mut sum = 0;
        for _ in 0..2 {
            let mut packet = ptr::null_mut::<Packet>();
            while packet.is_null() {
                thread::yield_now();
                packet = PACKET.swap(ptr::null_mut(), Ordering::AcqRel);
            }
            sum += unsafe { (*packet).value };
            unsafe { (*packet).ready.store(true, Ordering::Release) };
        }
        sum
    });
    send(1);
    send(2);
    assert_eq!(receiver.join().unwrap(), 3);
}
