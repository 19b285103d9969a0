use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Arena {
    slots: [UnsafeCell<u32>; 4],
    next: AtomicUsize,
}

unsafe impl Sync for Arena {}

impl Arena {
    fn add(&self, value: u32) -> usize {
        let index = self.next.load(Ordering::SeqCst);
        self.next.store(index + 1, Ordering::SeqCst);
        unsafe { *self.slots[index].get() = value }; //~ data-race
        index
    }
}

// Loading the index and storing the next one are two steps, so two threads can get one slot.
fn main() {
    let arena = Arena { slots: [const { UnsafeCell::new(0) }; 4], next: AtomicUsize::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| arena.add(10));
        scope.spawn(|| arena.add(20));
    });
    println!("{}", arena.slots.into_iter().map(UnsafeCell::into_inner).sum::<u32>() % 10);
}
