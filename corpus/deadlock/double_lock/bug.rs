use std::sync::Mutex;

struct Account {
    balance: Mutex<i64>,
}

impl Account {
    fn fee(&self) -> i64 {
        *self.balance.lock().unwrap() / 100 //~ deadlock
    }

    fn charge(&self) {
        let mut balance = self.balance.lock().unwrap();
        *balance -= self.fee();
    }
}

// `charge` holds the lock that `fee` takes again.
fn main() {
    let account = Account { balance: Mutex::new(500) };
    account.charge();
    println!("{}", account.balance.lock().unwrap());
}
