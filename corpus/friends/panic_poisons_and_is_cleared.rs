//! A change that fails halfway is undone.

use std::{
    sync::{Arc, Mutex},
    thread,
};

// The withdrawal panics if it comes before the deposit; whoever finds the lock poisoned repairs what it guards.
fn main() {
    let account = Arc::new(Mutex::new(0_u32));
    let shared = account.clone();
    let withdrawal = thread::spawn(move || {
        let mut balance = shared.lock().unwrap();
        *balance = balance.checked_sub(5).expect("the account is covered");
    });
    let mut balance = account.lock().unwrap_or_else(|poisoned| {
        account.clear_poison();
        poisoned.into_inner()
    });
    *balance += 5;
    drop(balance);
    let is_done = withdrawal.join().is_ok();
    let balance = *account.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    assert_eq!(balance, if is_done { 0 } else { 5 });
}
