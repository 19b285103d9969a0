use std::cell::UnsafeCell;
use std::sync::{Condvar, Mutex};
use std::thread;

struct Baton {
    turn: Mutex<usize>,
    passed: Condvar,
    laps: UnsafeCell<[u32; 4]>,
}

unsafe impl Sync for Baton {}

static BATON: Baton = Baton { turn: Mutex::new(0), passed: Condvar::new(), laps: UnsafeCell::new([0; 4]) };

fn run(own: usize) {
    for _ in 0..2 {
        drop(BATON.passed.wait_while(BATON.turn.lock().unwrap(), |turn| *turn % 2 != own).unwrap());
        unsafe { (*BATON.laps.get())[1] += 1 };
        *BATON.turn.lock().unwrap() += 1;
        BATON.passed.notify_all();
    }
}

// The laps are counted outside the lock, but only by whoever's turn it is.
fn main() {
    let runners = [0, 1].map(|own| thread::spawn(move || run(own)));
    for runner in runners {
        runner.join().unwrap();
    }
    println!("{}", unsafe { (*BATON.laps.get())[1] });
}
