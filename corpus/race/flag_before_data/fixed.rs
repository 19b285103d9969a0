use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Mailbox<T> {
    letter: UnsafeCell<Option<T>>,
    full: AtomicBool,
}

unsafe impl<T: Send> Sync for Mailbox<T> {}

impl<T> Mailbox<T> {
    fn put(&self, letter: T) {
        unsafe { *self.letter.get() = Some(letter) };
        self.full.store(true, Ordering::Release);
    }

    fn get(&self) -> Option<T> {
        if !self.full.swap(false, Ordering::Acquire) {
            return None;
        }
        unsafe { (*self.letter.get()).take() }
    }
}

// The mailbox says that it is full before the letter is in.
fn main() {
    let mailbox = Arc::new(Mailbox { letter: UnsafeCell::new(None), full: AtomicBool::new(false) });
    let postman = {
        let mailbox = Arc::clone(&mailbox);
        thread::spawn(move || mailbox.put("invoice".to_string()))
    };
    let early = mailbox.get();
    postman.join().unwrap();
    println!("{}", early.or_else(|| mailbox.get()).unwrap_or_default());
}
