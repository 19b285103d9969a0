use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Output<T>(*mut T, usize);

unsafe impl<T: Send> Sync for Output<T> {}

impl<T> Output<T> {
    unsafe fn put(&self, at: usize, value: T) {
        assert!(at < self.1);
        unsafe { self.0.add(at).write(value) };
    }
}

fn parallel_map<T: Sync, R: Send>(items: &[T], threads: usize, map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    let output = Output(results.as_mut_ptr(), items.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    unsafe { output.put(at, map(item)) };
                }
            });
        }
    });
    unsafe { results.set_len(items.len()) };
    results
}

// Each index is given out once, so each result is written by one thread, and the scope ends before they are read.
fn main() {
    let words = ["one", "three", "five", "seven"];
    let lengths = parallel_map(&words, 3, |word| format!("{}{}", word.len(), &word[..1]));
    println!("{}", lengths.join(","));
}
