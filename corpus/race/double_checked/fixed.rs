use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{ptr, thread};

struct Config {
    port: u16,
}

static CONFIG: AtomicPtr<Config> = AtomicPtr::new(ptr::null_mut());
static INIT: Mutex<()> = Mutex::new(());

fn config() -> &'static Config {
    let mut found = CONFIG.load(Ordering::Acquire);
    if found.is_null() {
        let _held = INIT.lock().unwrap();
        found = CONFIG.load(Ordering::Relaxed);
        if found.is_null() {
            found = Box::into_raw(Box::new(Config { port: 80 }));
            CONFIG.store(found, Ordering::Release);
        }
    }
    unsafe { &*found }
}

// The fast path of the double-checked initialisation reads the pointer relaxed.
fn main() {
    let workers = [(); 2].map(|()| thread::spawn(|| config().port));
    println!("{}", workers.map(|worker| worker.join().unwrap()).iter().sum::<u16>());
}
