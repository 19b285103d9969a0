use std::thread;
use std::time::Duration;

static mut RESULT: u64 = 0;

fn compute() {
    let sum = (1..=20u64).sum();
    unsafe { RESULT = sum } //~ data-race
}

// Sleeping long enough is no synchronisation.
fn main() {
    thread::spawn(compute);
    thread::sleep(Duration::from_secs(1));
    println!("{}", unsafe { RESULT }); //~ data-race
}
