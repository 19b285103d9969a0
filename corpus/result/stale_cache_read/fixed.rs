//! A cache that is refreshed by a thread.

use std::{
    process::ExitCode,
    sync::{
        Arc, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

#[derive(Default)]
struct Cache {
    value: RwLock<u32>,
    is_fresh: AtomicBool,
}

// The cache is marked as fresh when the new value is in it.
fn main() -> ExitCode {
    let cache = Arc::new(Cache::default());
    let own = Arc::clone(&cache);
    let refresher = thread::spawn(move || {
        *own.value.write().unwrap() = 5;
        own.is_fresh.store(true, Ordering::Release);
    });
    let is_stale = cache.is_fresh.load(Ordering::Acquire) && *cache.value.read().unwrap() != 5;
    refresher.join().unwrap();
    if is_stale { ExitCode::from(3) } else { ExitCode::SUCCESS }
}
