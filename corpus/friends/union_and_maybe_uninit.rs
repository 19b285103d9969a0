use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

union Storage<F, T> {
    make: ManuallyDrop<F>,
    value: ManuallyDrop<T>,
}

struct Lazy<T, F> {
    state: AtomicU8,
    storage: std::cell::UnsafeCell<Storage<F, T>>,
}

unsafe impl<T: Send + Sync, F: Send> Sync for Lazy<T, F> {}

impl<T, F: FnOnce() -> T> Lazy<T, F> {
    fn new(make: F) -> Self {
        Lazy { state: AtomicU8::new(0), storage: std::cell::UnsafeCell::new(Storage { make: ManuallyDrop::new(make) }) }
    }

    fn get(&self) -> &T {
        loop {
            match self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => {
                    let storage = unsafe { &mut *self.storage.get() };
                    let make = unsafe { ManuallyDrop::take(&mut storage.make) };
                    storage.value = ManuallyDrop::new(make());
                    self.state.store(2, Ordering::Release);
                }
                Err(1) => thread::yield_now(),
                Err(_) => return unsafe { &(*self.storage.get()).value },
            }
        }
    }
}

fn first_words(lines: [&str; 3]) -> [String; 3] {
    let mut words: [MaybeUninit<String>; 3] = [const { MaybeUninit::uninit() }; 3];
    thread::scope(|scope| {
        for (word, line) in words.iter_mut().zip(lines) {
            scope.spawn(move || word.write(line.split(' ').next().unwrap_or("").to_string()));
        }
    });
    words.map(|word| unsafe { word.assume_init() })
}

// Whoever makes the value is alone with the storage; each thread writes a place of its own.
fn main() {
    let greeting = Lazy::new(|| first_words(["hello world", "good bye", "so long"]));
    thread::scope(|scope| {
        scope.spawn(|| greeting.get().len());
        scope.spawn(|| greeting.get()[1].len());
    });
    println!("{:?}", greeting.get());
}
