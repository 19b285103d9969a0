use std::sync::{Arc, Mutex};
use std::thread;

static mut OPEN_FILES: i32 = 0;
static REGISTRY: Mutex<()> = Mutex::new(());

struct TemporaryFile {
    number: u32,
}

impl TemporaryFile {
    fn create(number: u32) -> TemporaryFile {
        let _held = REGISTRY.lock().unwrap();
        unsafe { OPEN_FILES += 1 } //~ data-race
        TemporaryFile { number }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        unsafe { OPEN_FILES -= 1 } //~ data-race
    }
}

// The last owner drops the file on another thread, and the destructor does not take the lock.
fn main() {
    let first = Arc::new(TemporaryFile::create(1));
    let cleaner = {
        let first = first.clone();
        thread::spawn(move || println!("close {}", first.number))
    };
    drop(first);
    let second = TemporaryFile::create(2);
    println!("created {}", second.number);
    cleaner.join().unwrap();
}
