use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

struct Arena {
    words: Box<[UnsafeCell<u64>]>,
    used: AtomicUsize,
}

unsafe impl Sync for Arena {}

impl Arena {
    const fn of(words: Box<[UnsafeCell<u64>]>) -> Arena {
        Arena { words, used: AtomicUsize::new(0) }
    }

    fn alloc(&self, value: u64) -> Option<&u64> {
        let at = self.used.fetch_add(1, Ordering::Relaxed);
        let word = self.words.get(at)?.get();
        unsafe {
            *word = value;
            Some(&*word)
        }
    }

    fn reset(&self) {
        self.used.store(0, Ordering::Relaxed);
    }
}

fn frame(arena: &Arena, number: u64) -> u64 {
    let first = arena.alloc(number).copied().unwrap_or(0);
    let second = arena.alloc(number * 2).copied().unwrap_or(0);
    first + second
}

// The arena is reset for the next frame although another thread still has a word of this one.
fn main() {
    let arena = Arena::of((0..4).map(|_| UnsafeCell::new(0)).collect());
    let (done, finished) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let word = arena.alloc(42).unwrap();
        let reader = scope.spawn(move || {
            let seen = *word;
            done.send(()).unwrap();
            seen
        });
        finished.recv().unwrap();
        arena.reset();
        println!("{}", frame(&arena, 1));
        println!("{}", reader.join().unwrap());
    });
}
