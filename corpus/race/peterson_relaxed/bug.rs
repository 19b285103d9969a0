use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

static INTERESTED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
static TURN: AtomicUsize = AtomicUsize::new(0);
static mut SOLD: u32 = 0;

const ORDER: Ordering = Ordering::Relaxed;

fn sell(own: usize) {
    let other = 1 - own;
    INTERESTED[own].store(true, ORDER);
    TURN.store(other, ORDER);
    while INTERESTED[other].load(ORDER) && TURN.load(ORDER) == other {
        thread::yield_now();
    }
    unsafe { SOLD += 1 }; //~ data-race
    INTERESTED[own].store(false, ORDER);
}

// Peterson's algorithm with relaxed flags neither excludes nor orders.
fn main() {
    let counters = [0, 1].map(|own| thread::spawn(move || sell(own)));
    for counter in counters {
        counter.join().unwrap();
    }
    println!("{}", unsafe { SOLD } == 2);
}
