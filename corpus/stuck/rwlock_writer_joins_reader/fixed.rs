use std::sync::{Arc, RwLock};
use std::thread;

// The writer waits for the thread that reads what it has locked.
fn main() {
    let table = Arc::new(RwLock::new(vec![3, 1, 2]));
    let mut rows = table.write().unwrap();
    rows.sort();
    let reader = {
        let table = table.clone();
        thread::spawn(move || table.read().unwrap().iter().sum::<i32>())
    };
    drop(rows);
    let sum = reader.join().unwrap();
    let mut rows = table.write().unwrap();
    rows.push(sum);
    println!("{rows:?}");
}
