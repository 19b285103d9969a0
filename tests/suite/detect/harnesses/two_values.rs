//! Harnesses that give one value to a method of another one.

use super::{library, short, silent};
use expect_test::expect;

const ACCOUNTS: &str = "
use std::sync::Mutex;

pub struct Account {
    id: u32,
    balance: Mutex<i64>,
}

impl Account {
    pub fn new(id: u32) -> Account {
        Account { id, balance: Mutex::new(0) }
    }
    /// Moves an amount.
    pub fn transfer(&self, to: &Account, amount: i64) {
        if std::ptr::eq(self, to) {
            return;
        }
        let mut from = self.balance.lock().unwrap();
        let mut to = to.balance.lock().unwrap();
        *from = from.wrapping_sub(amount);
        *to = to.wrapping_add(amount);
    }
    pub fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
}
";

#[test]
fn two_values_that_lock_each_other() {
    short(
        &library(ACCOUNTS),
        &expect![[r#"
        stdout:
        src/lib.rs:19:22: error[deadlock]: the caller waits for another `Account.balance` while holding one `Account.balance`; thread 1 waits for one `Account.balance` while holding another `Account.balance` (with src/lib.rs:18:24)
        stderr:
        shop: 1 bug. 2 entries (API items), 104 schedules
              reached 3 of 3 lock sites, 3 concurrently; nothing left out
              calls from two threads: 6 of 6 pairs at once
        status: 1
    "#]],
    );
}

#[test]
fn values_that_are_locked_in_one_order() {
    let ordered = ACCOUNTS.replace(
        "let mut from = self.balance.lock().unwrap();
        let mut to = to.balance.lock().unwrap();",
        "let is_first = std::ptr::from_ref(self) < std::ptr::from_ref(to);
        let (low, high) = if is_first { (self, to) } else { (to, self) };
        let low = low.balance.lock().unwrap();
        let high = high.balance.lock().unwrap();
        let (mut from, mut to) = if is_first { (low, high) } else { (high, low) };",
    );
    assert_ne!(ordered, ACCOUNTS);
    silent(
        &library(&ordered),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 906 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 6 of 6 pairs at once
            status: 0
        "#]],
    );
}

/// The two values have different numbers.
#[test]
fn values_that_are_locked_in_the_order_of_their_numbers() {
    let numbered = ACCOUNTS.replace(
        "if std::ptr::eq(self, to) {
            return;
        }
        let mut from = self.balance.lock().unwrap();
        let mut to = to.balance.lock().unwrap();",
        "let (low, high) = if self.id < to.id { (self, to) } else { (to, self) };
        let mut from = low.balance.lock().unwrap();
        let mut to = high.balance.lock().unwrap();",
    );
    assert_ne!(numbered, ACCOUNTS);
    silent(
        &library(&numbered),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 908 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 6 of 6 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_function_that_takes_two_values() {
    let function = ACCOUNTS.replace("pub fn transfer(&self, to: &Account", "fn transfer_to(&self, to: &Account")
        + "
/// Gives each the half of the sum.
pub fn share(one: &Account, other: &Account) {
    one.transfer_to(other, (one.balance() - other.balance()) / 2);
}
";
    short(
        &library(&function),
        &expect![[r#"
            stdout:
            src/lib.rs:19:22: error[deadlock]: thread 1 waits for one `Account.balance` while holding another `Account.balance`; the caller waits for another `Account.balance` while holding one `Account.balance` (with src/lib.rs:18:24)
            stderr:
            shop: 1 bug. 3 entries (API items), 108 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 2 of 2 pairs at once
            status: 1
        "#]],
    );
}
