use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Config {
    level: u32,
}

static CONFIG: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());

fn config() -> &'static Config {
    let mut current = CONFIG.load(Ordering::Relaxed);
    if current.is_null() {
        let fresh = Box::into_raw(Box::new(Config { level: 3 })); //~ data-race
        match CONFIG.compare_exchange(ptr::null_mut(), fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => current = fresh,
            Err(other) => {
                drop(unsafe { Box::from_raw(fresh) });
                current = other;
            }
        }
    }
    unsafe { &*current }
}

fn level() -> u32 {
    config().level //~ data-race
}

// Whoever comes second gets the winner's configuration by relaxed loads, which do not publish its fields.
fn main() {
    let worker = thread::spawn(level);
    println!("{} {}", level(), worker.join().unwrap());
}
