use std::hint;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};
use std::thread;

struct Clock {
    version: AtomicUsize,
    hours: AtomicU32,
    minutes: AtomicU32,
}

static CLOCK: Clock = Clock { version: AtomicUsize::new(0), hours: AtomicU32::new(0), minutes: AtomicU32::new(0) };

fn set(hours: u32, minutes: u32) {
    let version = CLOCK.version.load(Ordering::Relaxed);
    CLOCK.version.store(version + 1, Ordering::Relaxed);
    fence(Ordering::Release);
    CLOCK.hours.store(hours, Ordering::Relaxed);
    CLOCK.minutes.store(minutes, Ordering::Relaxed);
    CLOCK.version.store(version + 2, Ordering::Release);
}

fn get() -> (u32, u32) {
    loop {
        let before = CLOCK.version.load(Ordering::Acquire);
        let time = (CLOCK.hours.load(Ordering::Relaxed), CLOCK.minutes.load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        if before.is_multiple_of(2) && before == CLOCK.version.load(Ordering::Relaxed) {
            return time;
        }
        hint::spin_loop();
    }
}

// The reader tries again when the version has changed, and all that it reads is atomic.
fn main() {
    let setter = thread::spawn(|| set(12, 30));
    let (hours, minutes) = get();
    println!("{}", hours * 60 + minutes == 750 || hours + minutes == 0);
    setter.join().unwrap();
}
