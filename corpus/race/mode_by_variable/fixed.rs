use std::cell::UnsafeCell;
use std::env;
use std::sync::{Arc, Mutex};
use std::thread;

struct Table {
    rows: UnsafeCell<[u32; 4]>,
    lock: Mutex<()>,
}

unsafe impl Sync for Table {}

impl Table {
    fn add(&self, row: usize, by: u32, is_fast: bool) {
        let guard = if is_fast { None } else { self.lock.lock().ok() };
        unsafe { (*self.rows.get())[row] += by }
        drop(guard);
    }
}

// The fast mode leaves the lock out where each thread has its own row.
fn main() {
    let is_fast = env::var("TABLE_MODE").is_ok_and(|mode| mode == "fast");
    let table = Arc::new(Table { rows: UnsafeCell::new([0; 4]), lock: Mutex::new(()) });
    let other = {
        let table = Arc::clone(&table);
        thread::spawn(move || table.add(1, 2, is_fast))
    };
    table.add(2, 3, is_fast);
    other.join().unwrap();
    println!("{:?}", unsafe { *table.rows.get() });
}
