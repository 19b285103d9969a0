use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static WANTS: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];
static SECOND_FIRST: AtomicBool = AtomicBool::new(false);
static mut LOG: Vec<usize> = Vec::new();

fn enter(own: usize) {
    WANTS[own].store(true, Ordering::SeqCst);
    while WANTS[1 - own].load(Ordering::SeqCst) {
        if SECOND_FIRST.load(Ordering::SeqCst) != (own == 1) {
            WANTS[own].store(false, Ordering::SeqCst);
            while SECOND_FIRST.load(Ordering::SeqCst) != (own == 1) {
                hint::spin_loop();
            }
            WANTS[own].store(true, Ordering::SeqCst);
        }
    }
}

fn leave(own: usize) {
    SECOND_FIRST.store(own == 0, Ordering::SeqCst);
    WANTS[own].store(false, Ordering::SeqCst);
}

fn write(own: usize) {
    enter(own);
    unsafe { (*&raw mut LOG).push(own) };
    leave(own);
}

// Dekker's algorithm guards a vector that is a plain static.
fn main() {
    let second = thread::spawn(|| write(1));
    write(0);
    second.join().unwrap();
    println!("{}", unsafe { (*&raw const LOG).len() });
}
