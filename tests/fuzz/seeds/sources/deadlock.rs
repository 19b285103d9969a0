use std::sync::{Arc, Mutex};

struct Account {
    balance: Mutex<i64>,
}

fn transfer(from: &Account, to: &Account) {
    let mut source = from.balance.lock().unwrap();
    let mut target = to.balance.lock().unwrap();
    *source -= 1;
    *target += 1;
}

fn main() {
    let accounts = Arc::new([1, 2].map(|balance| Account { balance: Mutex::new(balance) }));
    let other = accounts.clone();
    let thread = std::thread::spawn(move || transfer(&other[0], &other[1]));
    transfer(&accounts[1], &accounts[0]);
    thread.join().unwrap();
}
