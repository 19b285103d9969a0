use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

struct Arena<T> {
    used: AtomicU64,
    slots: [UnsafeCell<T>; 4],
}

unsafe impl<T: Send> Sync for Arena<T> {}

struct Lease<'a, T> {
    arena: &'a Arena<T>,
    slot: usize,
}

impl<T> Arena<T> {
    fn lease(&self) -> Option<Lease<'_, T>> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let slot = (!used).trailing_zeros() as usize;
            if slot >= self.slots.len() {
                return None;
            }
            match self.used.compare_exchange_weak(used, used | 1 << slot, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(Lease { arena: self, slot }),
                Err(now) => used = now,
            }
        }
    }
}

impl<T> Lease<'_, T> {
    fn update(&mut self, change: impl FnOnce(&mut T)) {
        change(unsafe { &mut *self.arena.slots[self.slot].get() });
    }
}

impl<T> Drop for Lease<'_, T> {
    fn drop(&mut self) {
        self.arena.used.fetch_and(!(1 << self.slot), Ordering::Release);
    }
}

// Whoever sets a slot's bit is alone with the slot, and clearing the bit hands on what was written.
fn main() {
    let arena: Arena<Vec<u8>> = Arena { used: AtomicU64::new(0), slots: Default::default() };
    thread::scope(|scope| {
        for byte in 0..3 {
            let arena = &arena;
            scope.spawn(move || {
                for _ in 0..2 {
                    if let Some(mut lease) = arena.lease() {
                        lease.update(|buffer| buffer.push(byte));
                    }
                }
            });
        }
    });
    println!("{}", arena.slots.into_iter().map(|slot| slot.into_inner().len()).sum::<usize>());
}
