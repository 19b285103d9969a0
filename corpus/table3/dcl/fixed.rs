use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{ptr, thread};

struct Singleton {
    value: u64,
}

static INSTANCE: AtomicPtr<Singleton> = AtomicPtr::new(ptr::null_mut());
static CREATION: Mutex<()> = Mutex::new(());

fn load() -> *mut Singleton {
    INSTANCE.load(Ordering::Acquire)
}

fn store(instance: *mut Singleton) {
    INSTANCE.store(instance, Ordering::Release)
}

fn instance() -> &'static Singleton {
    if load().is_null() {
        let _held = CREATION.lock().unwrap();
        if load().is_null() {
            let created = Box::new(Singleton { value: 42 });
            store(Box::into_raw(created));
        }
    }
    unsafe { &*load() }
}

fn use_it() -> u64 {
    instance().value
}

// Double-checked locking whose first check reads the instance without any ordering.
fn main() {
    let workers = [thread::spawn(use_it), thread::spawn(use_it)];
    for worker in workers {
        println!("{}", worker.join().unwrap());
    }
}
