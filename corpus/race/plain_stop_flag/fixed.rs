use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

fn stop() {
    STOP.store(true, Ordering::Relaxed)
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
