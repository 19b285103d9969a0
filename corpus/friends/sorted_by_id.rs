use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

struct Account {
    id: u32,
    balance: Mutex<i64>,
}

fn lock_all<'a>(accounts: &[&'a Account]) -> Vec<(u32, MutexGuard<'a, i64>)> {
    let mut sorted = accounts.to_vec();
    sorted.sort_by_key(|account| account.id);
    sorted.dedup_by_key(|account| account.id);
    sorted.into_iter().map(|account| (account.id, account.balance.lock().unwrap())).collect()
}

fn transfer(from: &Account, to: &Account, fees: &Account, amount: i64) {
    let mut guards = lock_all(&[from, to, fees]);
    let mut add = |account: &Account, amount: i64| {
        let (_, balance) = guards.iter_mut().find(|(id, _)| *id == account.id).expect("all are locked");
        **balance += amount;
    };
    add(from, -amount);
    add(to, amount - 1);
    add(fees, 1);
}

// However the accounts are given, they are locked in the order of their ids, and each once.
fn main() {
    let accounts: Arc<Vec<Account>> = Arc::new((0..3).map(|id| Account { id, balance: Mutex::new(50) }).collect());
    let clerks: Vec<_> = [(0, 1, 2), (2, 1, 0), (1, 1, 2)]
        .into_iter()
        .map(|(from, to, fees)| {
            let all = accounts.clone();
            thread::spawn(move || transfer(&all[from], &all[to], &all[fees], 10))
        })
        .collect();
    clerks.into_iter().for_each(|clerk| clerk.join().unwrap());
    println!("{}", accounts.iter().map(|account| *account.balance.lock().unwrap()).sum::<i64>());
}
