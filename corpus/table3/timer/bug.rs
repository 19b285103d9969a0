use std::thread;
use std::time::Duration;

static mut TICKS: u64 = 0;

fn tick() {
    unsafe { TICKS += 1 } //~ data-race
}

fn ticks() -> u64 {
    unsafe { TICKS } //~ data-race
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
