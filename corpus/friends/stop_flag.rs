use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

// The flag only says stop; what was counted comes with the join.
fn main() {
    let stop = Arc::new(AtomicBool::new(false));
    let beats = Arc::new(AtomicU32::new(0));
    let heart = {
        let (stop, beats) = (stop.clone(), beats.clone());
        thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                beats.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
            }
        })
    };
    thread::sleep(Duration::from_millis(35));
    stop.store(true, Ordering::Relaxed);
    heart.join().unwrap();
    println!("{}", beats.load(Ordering::Relaxed) < 1_000);
}
