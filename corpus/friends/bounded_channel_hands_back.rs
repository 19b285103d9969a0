use std::cell::UnsafeCell;
use std::sync::mpsc;
use std::thread;

struct Slots([UnsafeCell<u64>; 2]);

unsafe impl Sync for Slots {}

// A message of no content says that a slot is filled; the room it leaves says that the slot is free again.
fn main() {
    let slots = Slots([UnsafeCell::new(0), UnsafeCell::new(0)]);
    let (filled, ready) = mpsc::sync_channel::<usize>(0);
    let sum: u64 = thread::scope(|scope| {
        let slots = &slots;
        scope.spawn(move || {
            for round in 0..6usize {
                // The send of two rounds ago has returned: its message was received, and the one before it is used up.
                unsafe { *slots.0[round % 2].get() = round as u64 + 1 };
                filled.send(round % 2).unwrap();
            }
        });
        let mut sum = 0;
        while let Ok(slot) = ready.recv() {
            sum += unsafe { *slots.0[slot].get() };
        }
        sum
    });
    println!("{sum}");
}
