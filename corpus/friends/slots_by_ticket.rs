use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Results {
    slots: [UnsafeCell<u64>; 3],
    next: AtomicUsize,
    done: AtomicUsize,
}

unsafe impl Sync for Results {}

static RESULTS: Results =
    Results { slots: [const { UnsafeCell::new(0) }; 3], next: AtomicUsize::new(0), done: AtomicUsize::new(0) };

fn report(value: u64) {
    let slot = RESULTS.next.fetch_add(1, Ordering::Relaxed);
    unsafe { *RESULTS.slots[slot].get() = value };
    RESULTS.done.fetch_add(1, Ordering::Release);
}

// Each reporter has a slot of its own; the last increment brings along what came before all of them.
fn main() {
    for value in [3, 4, 5] {
        thread::spawn(move || report(value));
    }
    while RESULTS.done.load(Ordering::Acquire) < 3 {
        thread::yield_now();
    }
    println!("{}", RESULTS.slots.iter().map(|slot| unsafe { *slot.get() }).sum::<u64>());
}
