use std::panic;
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;

static ACCOUNTS: RwLock<Vec<i64>> = RwLock::new(Vec::new());
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn withdraw(account: usize, amount: i64) {
    let mut accounts = ACCOUNTS.write().unwrap_or_else(PoisonError::into_inner);
    LOG.lock().unwrap_or_else(|error| error.into_inner()).push(format!("{account}: {amount}"));
    assert!(accounts[account] >= amount, "overdrawn");
    accounts[account] -= amount;
}

fn recover() -> bool {
    let was = ACCOUNTS.is_poisoned();
    if was {
        ACCOUNTS.clear_poison();
    }
    was
}

// A panic poisons the lock on its way out, and what it held is free again.
fn main() {
    panic::set_hook(Box::new(|_| ()));
    ACCOUNTS.write().unwrap().extend([10, 20]);
    let first = thread::spawn(|| withdraw(0, 50));
    let second = thread::spawn(|| withdraw(1, 5));
    let failed = first.join().is_err();
    second.join().unwrap();
    let caught = panic::catch_unwind(|| withdraw(0, 60)).is_err();
    println!("{failed} {caught} {}", recover());
    println!("{:?} {}", ACCOUNTS.read().unwrap(), LOG.lock().unwrap().len());
}
