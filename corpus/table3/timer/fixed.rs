use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

static TICKS: AtomicU64 = AtomicU64::new(0);

fn tick() {
    TICKS.fetch_add(1, Ordering::Relaxed);
}

fn ticks() -> u64 {
    TICKS.load(Ordering::Relaxed)
}

fn start_timer(period: Duration, handler: fn()) {
    thread::spawn(move || {
        loop {
            thread::sleep(period);
            handler();
        }
    });
}

// A timer without end ticks while `main` reads what the ticks count.
fn main() {
    start_timer(Duration::from_millis(10), tick);
    for _ in 0..5 {
        thread::sleep(Duration::from_millis(25));
        println!("{}", ticks() < 1_000);
    }
}
