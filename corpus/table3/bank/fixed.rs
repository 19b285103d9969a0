use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    number: u32,
    balance: Mutex<i64>,
}

impl Account {
    fn new(number: u32, balance: i64) -> Arc<Account> {
        Arc::new(Account { number, balance: Mutex::new(balance) })
    }

    fn transfer(&self, target: &Account, amount: i64) -> bool {
        let (mut from, mut to);
        if self.number < target.number {
            from = self.balance.lock().unwrap();
            to = target.balance.lock().unwrap();
        } else {
            to = target.balance.lock().unwrap();
            from = self.balance.lock().unwrap();
        }
        if *from < amount {
            return false;
        }
        *from -= amount;
        *to += amount;
        true
    }
}

// Each transfer locks its source first, so two in opposite directions can wait for each other.
fn main() {
    let savings = Account::new(1, 100);
    let checking = Account::new(2, 50);
    let clerk = {
        let (savings, checking) = (savings.clone(), checking.clone());
        thread::spawn(move || {
            for _ in 0..3 {
                savings.transfer(&checking, 10);
            }
        })
    };
    for _ in 0..3 {
        checking.transfer(&savings, 5);
    }
    clerk.join().unwrap();
    let total = *savings.balance.lock().unwrap() + *checking.balance.lock().unwrap();
    println!("accounts {} and {} hold {total}", savings.number, checking.number);
}
