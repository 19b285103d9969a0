use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

// The lock of a thread that panicked is free again; only its content is in doubt.
fn main() {
    let stock = Arc::new(Mutex::new(vec![1, 2]));
    let clerk = {
        let stock = stock.clone();
        thread::spawn(move || {
            let mut stock = stock.lock().unwrap();
            stock.push(3);
            panic!("the roof came down");
        })
    };
    println!("{}", clerk.join().is_err());
    let mut items = stock.lock().unwrap_or_else(PoisonError::into_inner);
    items.truncate(2);
    drop(items);
    stock.clear_poison();
    println!("{:?}", stock.lock().unwrap());
}
