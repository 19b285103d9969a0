use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Promise<T> {
    value: UnsafeCell<Option<T>>,
    set: AtomicBool,
}

unsafe impl<T: Send> Sync for Promise<T> {}

impl<T> Promise<T> {
    fn fulfil(&self, value: T, waiter: &thread::Thread) {
        unsafe { *self.value.get() = Some(value) };
        self.set.store(true, Ordering::Release);
        waiter.unpark();
    }

    fn wait(&self) -> T {
        while !self.set.load(Ordering::Acquire) {
            thread::park();
        }
        unsafe { (*self.value.get()).take().unwrap() }
    }
}

// Waking the waiter orders, but it may see the relaxed flag and never sleep.
fn main() {
    let promise = Arc::new(Promise { value: UnsafeCell::new(None), set: AtomicBool::new(false) });
    let main = thread::current();
    let worker = {
        let promise = promise.clone();
        thread::spawn(move || promise.fulfil([7u8; 4], &main))
    };
    println!("{:?}", promise.wait());
    worker.join().unwrap();
}
