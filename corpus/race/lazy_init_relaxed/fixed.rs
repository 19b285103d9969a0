use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Config {
    level: u32,
}

static CONFIG: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());

fn config() -> &'static Config {
    let mut current = CONFIG.load(Ordering::Acquire);
    if current.is_null() {
        let fresh = Box::into_raw(Box::new(Config { level: 3 }));
        match CONFIG.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
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
    config().level
}

// Whoever comes second acquires what the winner released.
fn main() {
    let worker = thread::spawn(level);
    println!("{} {}", level(), worker.join().unwrap());
}
