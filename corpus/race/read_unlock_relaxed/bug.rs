use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

const WRITER: u32 = 1 << 31;

struct RwSpin<T> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send + Sync> Sync for RwSpin<T> {}

impl<T> RwSpin<T> {
    const fn new(value: T) -> Self {
        RwSpin { state: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        while self.state.fetch_add(1, Ordering::Acquire) & WRITER != 0 {
            self.state.fetch_sub(1, Ordering::Relaxed);
            thread::yield_now();
        }
        let result = look(unsafe { &*self.value.get() });
        self.state.fetch_sub(1, Ordering::Relaxed);
        result
    }

    fn write<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        while self.state.compare_exchange_weak(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_err() {
            thread::yield_now();
        }
        let result = change(unsafe { &mut *self.value.get() });
        self.state.fetch_and(!WRITER, Ordering::Release);
        result
    }
}

static LIMITS: RwSpin<[u32; 2]> = RwSpin::new([10, 20]);

// A reader leaves with a relaxed decrement, so the writer after it is not ordered behind its reads.
fn main() {
    let checker = thread::spawn(|| LIMITS.read(|limits| limits[0] < limits[1])); //~ data-race
    LIMITS.write(|limits| limits[1] = 30); //~ data-race
    println!("{}", checker.join().unwrap());
}
