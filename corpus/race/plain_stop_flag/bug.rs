use std::thread;
use std::time::Duration;

static mut STOP: bool = false;

fn is_stopped() -> bool {
    unsafe { STOP } //~ data-race
}

fn stop() {
    unsafe { STOP = true } //~ data-race
}

// The loop reads a plain flag that another thread sets.
fn main() {
    let worker = thread::spawn(|| {
        let mut rounds = 0u32;
        while !is_stopped() {
            rounds += 1;
            thread::sleep(Duration::from_millis(1));
        }
        rounds
    });
    thread::sleep(Duration::from_millis(5));
    stop();
    println!("{}", worker.join().unwrap() < 1_000_000);
}
