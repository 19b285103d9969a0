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
            shop: 1 bug. 2 entries (API items), 29 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 5 of 6 pairs at once
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
            shop: no bug found. 2 entries (API items), 221 schedules
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
            shop: no bug found. 2 entries (API items), 221 schedules
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
            shop: 1 bug. 3 entries (API items), 33 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 2 of 2 pairs at once
            status: 1
        "#]],
    );
}

const STORE: &str = "
use std::sync::Mutex;

#[derive(Default)]
pub struct Store {
    writer: Mutex<u64>,
    valid: Mutex<Vec<u64>>,
}

/// A state of a store.
pub struct Savepoint<'a> {
    store: &'a Store,
    id: u64,
}

impl Drop for Savepoint<'_> {
    fn drop(&mut self) {
        self.store.valid.lock().unwrap().retain(|id| *id != self.id);
    }
}

impl Store {
    pub fn savepoint(&self) -> Savepoint<'_> {
        let mut writer = self.writer.lock().unwrap();
        *writer += 1;
        self.valid.lock().unwrap().push(*writer);
        Savepoint { store: self, id: *writer }
    }
    /// False if it is none of this store.
    pub fn restore(&self, savepoint: &Savepoint<'_>) -> bool {
        let valid = self.valid.lock().unwrap();
        if !valid.contains(&savepoint.id) || !std::ptr::eq(savepoint.store, self) {
            return false;
        }
        *self.writer.lock().unwrap() = savepoint.id;
        true
    }
}
";

#[test]
fn an_argument_that_the_object_makes() {
    short(
        &library(STORE),
        &expect![[r#"
            stdout:
            src/lib.rs:26:9: error[deadlock]: thread 1 waits for `Store.valid` while holding `Store.writer`; thread 2 waits for `Store.writer` while holding `Store.valid` (with src/lib.rs:35:10, src/lib.rs:31:21, src/lib.rs:24:26)
            stderr:
            shop: 1 bug. 4 entries (API items), 77 schedules
                  reached 5 of 5 lock sites, 5 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 1
        "#]],
    );
    let fixed = STORE.replace(
        "let valid = self.valid",
        "let mut writer = self.writer.lock().unwrap();
        let valid = self.valid",
    );
    silent(
        &library(&fixed.replace("*self.writer.lock().unwrap() = ", "*writer = ")),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 4 entries (API items), 695 schedules
                  reached 5 of 5 lock sites, 5 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}

/// A caller that holds a guard across a call is the caller's own doing.
#[test]
fn an_argument_that_holds_a_lock() {
    let held = "
use std::sync::{Mutex, MutexGuard};

#[derive(Default)]
pub struct Names {
    names: Mutex<Vec<String>>,
    count: Mutex<usize>,
}

pub struct Writer<'a> {
    names: MutexGuard<'a, Vec<String>>,
}

impl Names {
    pub fn writer(&self) -> Writer<'_> {
        Writer { names: self.names.lock().unwrap() }
    }
    pub fn counted(&self, writer: &Writer<'_>) -> usize {
        *self.count.lock().unwrap() = writer.names.len();
        writer.names.len()
    }
    pub fn clear(&self) {
        let mut count = self.count.lock().unwrap();
        self.names.lock().unwrap().clear();
        *count = 0;
    }
}
";
    silent(
        &library(held),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 4 entries (API items), 115 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  stopped: a call waits for something that no other thread provides (25 of 115 schedules)
                  1 entry would probably reach more with more schedules (raise `--effort`)
                  calls from two threads: 5 of 6 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_lock_that_is_held_while_an_argument_is_made() {
    let tokens = "
use std::sync::Mutex;

static NAMES: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static COUNT: Mutex<u32> = Mutex::new(0);

pub struct Token(u32);

impl Token {
    pub fn new() -> Token {
        let names = NAMES.lock().unwrap();
        *COUNT.lock().unwrap() += 1;
        Token(names.len() as u32)
    }
}

#[derive(Default)]
pub struct Store {
    last: Mutex<u32>,
}

impl Store {
    pub fn put(&self, token: &Token) {
        let count = COUNT.lock().unwrap();
        NAMES.lock().unwrap().push(token.0);
        *self.last.lock().unwrap() = *count;
    }
}
";
    short(
        &library(tokens),
        &expect![[r#"
            stdout:
            src/lib.rs:12:10: error[deadlock]: thread 2 waits for `COUNT` while holding `NAMES`; the caller waits for `NAMES` while holding `COUNT` (with src/lib.rs:11:21, src/lib.rs:25:9, src/lib.rs:24:21)
            stderr:
            shop: 1 bug. 3 entries (API items), 27 schedules
                  reached 5 of 5 lock sites, 5 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 1
        "#]],
    );
}
