use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct TicketLock<T> {
    next: AtomicU32,
    serving: AtomicU32,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for TicketLock<T> {}

struct Guard<'a, T> {
    lock: &'a TicketLock<T>,
    ticket: u32,
}

impl<T> TicketLock<T> {
    fn lock(&self) -> Guard<'_, T> {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        while self.serving.load(Ordering::Relaxed) != ticket {
            std::hint::spin_loop();
        }
        Guard { lock: self, ticket }
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.lock.serving.store(self.ticket.wrapping_add(1), Ordering::Release);
    }
}

struct Ledger {
    entries: [i32; 4],
    used: usize,
}

fn post(ledger: &TicketLock<Ledger>, amount: i32) {
    let mut ledger = ledger.lock();
    let at = ledger.used; //~ data-race
    ledger.entries[at] = amount;
    ledger.used += 1; //~ data-race
}

// The lock's owner does not acquire what the one before it released.
fn main() {
    let ledger = TicketLock {
        next: AtomicU32::new(0),
        serving: AtomicU32::new(0),
        value: UnsafeCell::new(Ledger { entries: [0; 4], used: 0 }),
    };
    thread::scope(|scope| {
        scope.spawn(|| post(&ledger, 5));
        scope.spawn(|| post(&ledger, -3));
    });
    println!("{}", ledger.lock().entries.iter().sum::<i32>());
}
