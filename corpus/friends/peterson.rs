use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

static INTERESTED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
static TURN: AtomicUsize = AtomicUsize::new(0);
static mut TOTAL: u32 = 0;

fn add(own: usize) {
    let other = 1 - own;
    for _ in 0..2 {
        INTERESTED[own].store(true, Ordering::SeqCst);
        TURN.store(other, Ordering::SeqCst);
        while INTERESTED[other].load(Ordering::SeqCst) && TURN.load(Ordering::SeqCst) == other {
            thread::yield_now();
        }
        unsafe { TOTAL += 1 };
        INTERESTED[own].store(false, Ordering::SeqCst);
    }
}

// Peterson's algorithm: sequentially consistent flags keep two threads apart.
fn main() {
    let other = thread::spawn(|| add(1));
    add(0);
    other.join().unwrap();
    println!("{}", unsafe { TOTAL });
}
