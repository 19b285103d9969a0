//! An attempt that may fail, and is made again.

use std::{
    sync::{Arc, Mutex},
    thread,
};

fn attempt(stock: &Mutex<u32>) -> Result<u32, String> {
    let mut stock = stock.lock().unwrap();
    *stock = stock.checked_sub(1).ok_or("empty")?;
    Ok(*stock)
}

// The first attempt fails under some schedules; the second one comes after the join.
fn main() -> Result<(), String> {
    let stock = Arc::new(Mutex::new(0));
    let own = Arc::clone(&stock);
    let supplier = thread::spawn(move || *own.lock().unwrap() += 1);
    let first = attempt(&stock);
    supplier.join().unwrap();
    first.or_else(|_| attempt(&stock)).map(|left| println!("{left}"))
}
