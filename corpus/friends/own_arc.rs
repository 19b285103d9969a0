use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::thread;

struct Inner {
    owners: AtomicUsize,
    words: Vec<String>,
}

struct Words(NonNull<Inner>);

unsafe impl Send for Words {}

impl Words {
    fn new(words: Vec<String>) -> Words {
        Words(NonNull::from(Box::leak(Box::new(Inner { owners: AtomicUsize::new(1), words }))))
    }

    fn share(&self) -> Words {
        unsafe { self.0.as_ref() }.owners.fetch_add(1, Ordering::Relaxed);
        Words(self.0)
    }

    fn len(&self) -> usize {
        unsafe { self.0.as_ref() }.words.len()
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if unsafe { self.0.as_ref() }.owners.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

// The last owner acquires, by a fence, what all the others released.
fn main() {
    let words = Words::new(vec!["a".to_string(), "b".to_string()]);
    let other = words.share();
    let reader = thread::spawn(move || other.len());
    println!("{}", words.len());
    drop(words);
    println!("{}", reader.join().unwrap());
}
