use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    balance: Mutex<i64>,
}

fn transfer(from: &Account, to: &Account, amount: i64) {
    let mut source = from.balance.lock().unwrap();
    let mut target = to.balance.lock().unwrap(); //~ deadlock
    *source -= amount;
    *target += amount;
}

// Two transfers in opposite directions take the two locks in opposite orders.
fn main() {
    let a = Arc::new(Account { balance: Mutex::new(100) });
    let b = Arc::new(Account { balance: Mutex::new(100) });
    let there = {
        let (a, b) = (a.clone(), b.clone());
        thread::spawn(move || transfer(&a, &b, 10))
    };
    transfer(&b, &a, 20);
    there.join().unwrap();
    println!("{} {}", a.balance.lock().unwrap(), b.balance.lock().unwrap());
}
