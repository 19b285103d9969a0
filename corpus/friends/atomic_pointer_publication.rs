use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Config {
    name: String,
    limit: u32,
}

static CURRENT: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());

fn publish(limit: u32) {
    let config = Box::new(Config { name: format!("limit {limit}"), limit });
    let old = CURRENT.swap(Box::into_raw(config), Ordering::AcqRel);
    assert!(old.is_null());
}

fn current() -> Option<&'static Config> {
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

// The pointer is released with the content and acquired before the content is read.
fn main() {
    let publisher = thread::spawn(|| publish(3));
    if let Some(config) = current() {
        println!("{} {}", config.name.len(), config.limit);
    }
    publisher.join().unwrap();
    let config = unsafe { Box::from_raw(CURRENT.swap(ptr::null_mut(), Ordering::Acquire)) };
    println!("{}", config.name);
}
