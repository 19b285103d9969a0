use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Lazy<T> {
    value: AtomicPtr<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    const fn new(make: fn() -> T) -> Self {
        Lazy { value: AtomicPtr::new(ptr::null_mut()), make }
    }

    fn get(&self) -> &T {
        let found = self.value.load(Ordering::Acquire);
        if !found.is_null() {
            return unsafe { &*found };
        }
        let made = Box::into_raw(Box::new((self.make)())); //~ data-race
        match self.value.compare_exchange(ptr::null_mut(), made, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => unsafe { &*made },
            Err(winner) => {
                drop(unsafe { Box::from_raw(made) });
                unsafe { &*winner }
            }
        }
    }
}

impl<T> Drop for Lazy<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

// The thread that loses the exchange uses the winner's value without having acquired it.
fn main() {
    let table = Arc::new(Lazy::new(|| [1u16, 1, 2, 3, 5]));
    let sums: Vec<_> = (0..2)
        .map(|_| {
            let table = table.clone();
            thread::spawn(move || table.get()[4]) //~ data-race
        })
        .collect();
    println!("{}", sums.into_iter().map(|sum| sum.join().unwrap()).sum::<u16>());
}
