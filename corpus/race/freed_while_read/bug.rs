use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Config {
    limit: u32,
}

static CURRENT: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());

fn replace(limit: u32) -> *mut Config {
    let new = Box::into_raw(Box::new(Config { limit }));
    CURRENT.swap(new, Ordering::AcqRel)
}

fn free(old: *mut Config) {
    drop(unsafe { Box::from_raw(old) }); //~ data-race
}

fn limit() -> u32 {
    let config = CURRENT.load(Ordering::Acquire);
    unsafe { (*config).limit } //~ data-race
}

// The old configuration is freed as soon as it is replaced, though a reader may have got it before.
fn main() {
    replace(1);
    let reader = thread::spawn(limit);
    let old = replace(2);
    free(old);
    println!("{}", reader.join().unwrap() > 0);
}
