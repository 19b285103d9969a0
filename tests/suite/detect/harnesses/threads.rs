//! Harnesses that call the methods of a `Sync` type from two threads at once.

use super::{CHECK, library, short, silent};
use expect_test::expect;

const COUNTER: &str = "
use std::cell::UnsafeCell;

pub struct Counter {
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Counter {}

impl Counter {
    pub fn new() -> Counter {
        Counter { value: UnsafeCell::new(0) }
    }
    pub fn add(&self) {
        unsafe { *self.value.get() += 1 }
    }
    pub fn get(&self) -> u32 {
        unsafe { *self.value.get() }
    }
}
";

/// As in thread_local 1.1.8: the harness uses what a call returned, in no code of the library.
#[test]
fn a_reference_to_what_another_call_replaces() {
    let text = COUNTER.replace("-> u32 {\n        unsafe { *self", "-> &u32 {\n        unsafe { &*self");
    assert_ne!(text, COUNTER);
    let (stdout, stderr, _) = library(&text).output(&[&CHECK[..], &["."]].concat());
    assert!(stdout.contains("reads Counter.value through what Counter::get returned"), "{stdout}{stderr}");
}

#[test]
fn a_type_that_promises_too_much() {
    let folder = library(COUNTER);
    let (stdout, stderr, status) = folder.output(&[&CHECK[..], &["."]].concat());
    assert_eq!(status, 1, "{stderr}");
    let update = "the caller and thread 1 both update `Counter.value`, and nothing orders the two";
    assert!(stdout.contains(update), "{stdout}");
    assert!(stdout.contains("called: `Counter::new`, then `Counter::add` from two threads"), "{stdout}");
    assert!(
        stdout.contains("called: `Counter::new`, then `Counter::add` and `Counter::get` from two threads"),
        "{stdout}"
    );
    assert!(!stdout.contains("given:") && stdout.contains("certain:"), "{stdout}");
    // Without the promise, nobody may do that.
    silent(
        &library(&COUNTER.replace("unsafe impl Sync for Counter {}", "")),
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 2 entries (API items), 2 schedules
              no locks, atomics, channels or awaits here; nothing left out
        status: 0
    "#]],
    );
}

#[test]
fn methods_that_lock_in_two_orders() {
    let ledger = "
use std::sync::Mutex;

#[derive(Default)]
pub struct Ledger {
    accounts: Mutex<Vec<u32>>,
    names: Mutex<Vec<String>>,
}

impl Ledger {
    pub fn add(&self, name: &str) {
        let mut accounts = self.accounts.lock().unwrap();
        self.names.lock().unwrap().push(name.to_owned());
        accounts.push(0);
    }
    pub fn list(&self) -> Vec<(String, u32)> {
        let names = self.names.lock().unwrap();
        let accounts = self.accounts.lock().unwrap();
        names.iter().cloned().zip(accounts.iter().copied()).collect()
    }
}
";
    short(
        &library(ledger),
        &expect![[r#"
            stdout:
            src/lib.rs:13:9: error[deadlock]: thread 1 waits for `Ledger.names` while holding `Ledger.accounts`; thread 2 waits for `Ledger.accounts` while holding `Ledger.names` (with src/lib.rs:18:24, src/lib.rs:17:21, src/lib.rs:12:28)
            stderr:
            shop: 1 bug. 2 entries (API items), 29 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 1
        "#]],
    );
    let names = "let names = self.names.lock().unwrap();\n";
    let accounts = "        let accounts = self.accounts.lock().unwrap();\n";
    let fixed = ledger.replace(&format!("{names}{accounts}"), &format!("{}        {names}", accounts.trim_start()));
    silent(
        &library(&fixed),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 567 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_value_in_an_arc_and_futures() {
    let text = "
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::future::Future;

pub struct Slot {
    text: AtomicPtr<String>,
}

impl Slot {
    pub fn new() -> Arc<Slot> {
        Arc::new(Slot { text: AtomicPtr::new(Box::into_raw(Box::new(String::new()))) })
    }
    pub fn len(self: &Arc<Self>) -> usize {
        unsafe { (*self.text.load(Ordering::Acquire)).len() }
    }
    pub fn set(&self, text: &str) -> impl Future<Output = ()> {
        let new = Box::into_raw(Box::new(text.to_owned()));
        drop(unsafe { Box::from_raw(self.text.swap(new, Ordering::AcqRel)) });
        std::future::ready(())
    }
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:19:9: error[data-race]: thread 1 frees `Slot.text` here, which the caller reads, and nothing orders the two (with src/lib.rs:15:18)
            stderr:
            shop: 1 bug. 2 entries (API items), 29 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 1
        "#]],
    );
}
