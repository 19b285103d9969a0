use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

const EMPTY: u8 = 0;
const FILLING: u8 = 1;
const FULL: u8 = 2;

struct Slot<T> {
    state: AtomicU8,
    value: UnsafeCell<MaybeUninit<T>>,
}

unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Slot<T> {
    const fn new() -> Self {
        Slot { state: AtomicU8::new(EMPTY), value: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    fn offer(&self, value: T) -> Result<(), T> {
        if self.state.compare_exchange(EMPTY, FILLING, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return Err(value);
        }
        unsafe { (*self.value.get()).write(value) };
        self.state.store(FULL, Ordering::Release);
        Ok(())
    }

    fn take(&self) -> Option<T> {
        self.state.compare_exchange(FULL, EMPTY, Ordering::Acquire, Ordering::Relaxed).ok()?;
        Some(unsafe { (*self.value.get()).assume_init_read() })
    }
}

static SLOT: Slot<u64> = Slot::new();

// Two threads can both see the slot empty before either of them marks it.
fn main() {
    let offers: Vec<_> = [11, 22].map(|n| thread::spawn(move || SLOT.offer(n).is_ok())).into();
    let accepted = offers.into_iter().map(|offer| offer.join().unwrap()).filter(|&ok| ok).count();
    println!("{} {}", accepted > 0, SLOT.take().is_some());
}
