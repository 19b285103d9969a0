//! Harnesses whose calls overlap, compared with the same calls one after the other.

use super::{CHECK, MANIFEST, library, short, silent};
use crate::support::Folder;
use expect_test::expect;

const ONCE: &str = "
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, Ordering};

pub struct Once {
    state: AtomicU8,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Once {}

const EMPTY: u8 = 0;
const RUNNING: u8 = 1;
const FULL: u8 = 2;

impl Once {
    pub fn new() -> Once {
        Once { state: AtomicU8::new(EMPTY), value: UnsafeCell::new(0) }
    }
    /// Makes the value if there is none.
    pub fn get_or_try(&self, make: impl FnOnce() -> Result<u32, ()>) -> Result<u32, ()> {
        loop {
            match self.state.compare_exchange(EMPTY, RUNNING, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => {
                    let made = make();
                    if let Ok(value) = made {
                        unsafe { *self.value.get() = value }
                    }
                    self.state.store(if made.is_ok() { FULL } else { EMPTY }, Ordering::Release);
                    return made;
                }
                Err(FULL) => return Ok(unsafe { *self.value.get() }),
                Err(_) => self.wait(),
            }
        }
    }
    fn wait(&self) {
        while self.state.load(Ordering::Acquire) == RUNNING {
            std::thread::yield_now();
        }
    }
}
";

#[test]
fn a_panic_that_only_overlapping_calls_show() {
    let wrong = ONCE.replace(
        "Err(_) => self.wait(),",
        "Err(_) => {
                    self.wait();
                    match self.state.load(Ordering::Acquire) {
                        FULL => return Ok(unsafe { *self.value.get() }),
                        _ => unreachable!(\"it was running\"),
                    }
                }",
    );
    short(
        &library(&wrong),
        &expect![[r#"
            stdout:
            src/lib.rs:37:30: error[schedule-dependent-panic]: the caller reaches what is said to be unreachable and panics here; under another schedule the same inputs end well
            stderr:
            shop: 1 bug. 3 entries (API items), 30 schedules
                  reached 4 of 4 atomic sites, 4 concurrently
                  stopped: its threads spin forever (9 of 30 schedules)
                  calls from two threads: 1 of 1 pair at once
                  uninterpreted: a value from outside the program (src/lib.rs:25:32)
            status: 1
        "#]],
    );
    silent(
        &library(ONCE),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 855 schedules
                  reached 3 of 3 atomic sites, 3 concurrently
                  stopped: its threads spin forever (201 of 855 schedules)
                  stopped: the bound on steps (3 of 855 schedules)
                  calls from two threads: 1 of 1 pair at once
                  uninterpreted: a value from outside the program (src/lib.rs:25:32)
            status: 0
        "#]],
    );
}

/// Its authors say that it may panic, or that they know.
#[test]
fn a_panic_that_is_meant() {
    let cell = |docs: &str, panics: &str| {
        format!(
            "
use std::cell::UnsafeCell;
use std::sync::atomic::{{AtomicBool, Ordering}};

pub struct Shared {{
    is_borrowed: AtomicBool,
    value: UnsafeCell<u32>,
}}

unsafe impl Sync for Shared {{}}

impl Shared {{
    pub fn new() -> Shared {{
        Shared {{ is_borrowed: AtomicBool::new(false), value: UnsafeCell::new(0) }}
    }}
    /// Adds one.{docs}
    pub fn add(&self) {{
        if self.is_borrowed.swap(true, Ordering::Acquire) {{
            {panics}
        }}
        unsafe {{ *self.value.get() += 1 }}
        self.is_borrowed.store(false, Ordering::Release);
    }}
}}
"
        )
    };
    silent(
        &library(&cell("", "panic!(\"already borrowed\");")),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 563 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
    silent(
        &library(&cell(" It panics if another thread does so.", "None::<()>.unwrap();")),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 563 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
    short(
        &library(&cell("", "None::<()>.unwrap();")),
        &expect![[r#"
            stdout:
            src/lib.rs:19:13: error[schedule-dependent-panic]: the caller unwraps `None` and panics here; under another schedule the same inputs end well
            stderr:
            shop: 1 bug. 3 entries (API items), 27 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 1
        "#]],
    );
}

/// The calls that lead there are listed too.
#[test]
fn a_race_after_another_call() {
    let log = "
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Log {
    is_on: AtomicBool,
    lines: UnsafeCell<u32>,
}

unsafe impl Sync for Log {}

impl Log {
    pub fn new() -> Log {
        Log { is_on: AtomicBool::new(false), lines: UnsafeCell::new(0) }
    }
    pub fn enable(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }
    pub fn write(&self) {
        if self.is_on.load(Ordering::Relaxed) {
            unsafe { *self.lines.get() += 1 }
        }
    }
}
";
    let report = library(log).shown(&[&CHECK[..], &["."]].concat());
    assert!(
        report.contains("called: `Log::new`, then") && report.contains("`Log::enable`, `Log::write` by"),
        "{report}"
    );
}

/// A call that finds a lock poisoned is a consequence.
#[test]
fn a_panic_after_one_that_is_meant() {
    let shared = "
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Shared {
    is_used: AtomicBool,
    value: Mutex<u32>,
}

impl Shared {
    pub fn new() -> Shared {
        Shared { is_used: AtomicBool::new(false), value: Mutex::new(0) }
    }
    pub fn add(&self) {
        let mut value = self.value.lock().unwrap();
        if self.is_used.load(Ordering::SeqCst) {
            panic!(\"somebody reads\");
        }
        *value += 1;
    }
    pub fn read(&self) -> u32 {
        self.is_used.store(true, Ordering::SeqCst);
        let value = *self.value.lock().unwrap();
        self.is_used.store(false, Ordering::SeqCst);
        value
    }
}
";
    silent(
        &library(shared),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 535 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 3 of 3 atomic sites, 3 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}

/// A call that takes part in a deadlock hangs in no order of whole calls.
#[test]
fn a_wait_that_only_overlapping_calls_show() {
    let counter = "
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};

pub struct Counter {
    is_held: Mutex<bool>,
    is_free: Condvar,
    value: AtomicU32,
}

impl Counter {
    pub fn new() -> Counter {
        Counter { is_held: Mutex::new(false), is_free: Condvar::new(), value: AtomicU32::new(0) }
    }
    pub fn add(&self) {
        let mut is_held = self.is_held.lock().unwrap();
        while *is_held {
            is_held = self.is_free.wait(is_held).unwrap();
        }
        *is_held = true;
        drop(is_held);
        self.value.fetch_add(1, Ordering::Relaxed);
        *self.is_held.lock().unwrap() = false;
        self.is_free.notify_one();
    }
}
";
    let wrong = counter.replace(
        "        while *is_held {
            is_held = self.is_free.wait(is_held).unwrap();
        }
",
        "        if *is_held {
            drop(is_held);
            is_held = self.is_free.wait(self.is_held.lock().unwrap()).unwrap();
        }
",
    );
    short(
        &library(&wrong),
        &expect![[r#"
            stdout:
            src/lib.rs:19:23: error[deadlock]: thread 1 waits for a notification of `Counter.is_free`
            stderr:
            shop: 1 bug. 2 entries (API items), 26 schedules
                  reached 3 of 3 lock sites, 3 concurrently; 1 of 1 atomic site, 1 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 1
        "#]],
    );
    silent(
        &library(counter),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 761 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 1 of 1 atomic site, 1 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
}

/// Whether a message is there depends on the order of the calls, and so does whether a call waits.
#[test]
fn a_wait_for_another_call() {
    let mailbox = "
use std::sync::{Condvar, Mutex};

pub struct Mailbox {
    messages: Mutex<Vec<u32>>,
    is_filled: Condvar,
}

impl Mailbox {
    pub fn new() -> Mailbox {
        Mailbox { messages: Mutex::new(Vec::new()), is_filled: Condvar::new() }
    }
    pub fn put(&self, message: u32) {
        self.messages.lock().unwrap().push(message);
        self.is_filled.notify_one();
    }
    pub fn take(&self) -> u32 {
        let mut messages = self.messages.lock().unwrap();
        loop {
            match messages.pop() {
                Some(message) => return message,
                None => messages = self.is_filled.wait(messages).unwrap(),
            }
        }
    }
    pub fn take_all(&self) -> usize {
        std::mem::take(&mut *self.messages.lock().unwrap()).len()
    }
}
";
    silent(
        &library(mailbox),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 244 schedules
                  reached 3 of 3 lock sites, 3 concurrently
                  stopped: a call waits for something that no other thread provides (138 of 244 schedules)
                  calls from two threads: 6 of 6 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_call_that_takes_a_lock_of_ones_own_twice() {
    let lock_api = "
pub mod mutex {
    pub unsafe trait RawMutex {
        const INIT: Self;
        fn lock(&self);
        unsafe fn unlock(&self);
    }
}
";
    let map = "
use lock_api::mutex::RawMutex;
use std::cell::UnsafeCell;
use std::sync::Mutex as Waits;
use std::sync::Condvar;

pub struct Raw {
    is_locked: Waits<bool>,
    unlocked: Condvar,
}

unsafe impl RawMutex for Raw {
    const INIT: Raw = Raw { is_locked: Waits::new(false), unlocked: Condvar::new() };
    fn lock(&self) {
        let mut is_locked = self.is_locked.lock().unwrap();
        while *is_locked {
            is_locked = self.unlocked.wait(is_locked).unwrap();
        }
        *is_locked = true;
    }
    unsafe fn unlock(&self) {
        *self.is_locked.lock().unwrap() = false;
        self.unlocked.notify_one();
    }
}

impl Raw {
    pub fn new() -> Raw {
        Raw::INIT
    }
}

pub struct List {
    raw: Raw,
    items: UnsafeCell<Vec<u32>>,
}

unsafe impl Sync for List {}

impl List {
    pub fn new() -> List {
        List { raw: Raw::INIT, items: UnsafeCell::new(Vec::new()) }
    }
    fn with<R>(&self, act: impl FnOnce(&mut Vec<u32>) -> R) -> R {
        self.raw.lock();
        let result = act(unsafe { &mut *self.items.get() });
        unsafe { self.raw.unlock() };
        result
    }
    pub fn len(&self) -> usize {
        self.with(|items| items.len())
    }
    pub fn push(&self, item: u32) {
        self.with(|items| items.push(item))
    }
    pub fn shrink(&self) {
        self.with(|items| items.shrink_to(self.len()))
    }
}
";
    let folder = |text: &str| {
        let manifest = format!("{}[dependencies]\nlock_api = {{ path = \"lock_api\" }}\n", MANIFEST);
        let of_lock_api = MANIFEST.replace("shop", "lock_api");
        Folder::new(&[
            ("Cargo.toml", manifest.as_str()),
            ("src/lib.rs", text),
            ("lock_api/Cargo.toml", of_lock_api.as_str()),
            ("lock_api/src/lib.rs", lock_api),
        ])
    };
    // Two calls of `Raw::lock` hang, as its callers must unlock between them.
    let right = map.replace("items.shrink_to(self.len())", "items.shrink_to(items.len())");
    silent(
        &folder(&right),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 5 entries (API items), 2059 schedules
                  reached 2 of 2 lock sites, 2 concurrently
                  stopped: a call waits for something that no other thread provides (1334 of 2059 schedules)
                  calls from two threads: 7 of 7 pairs at once
            status: 0
        "#]],
    );
    // `List::shrink` hangs by itself.
    short(
        &folder(map),
        &expect![[r#"
            stdout:
            src/lib.rs:17:25: error[deadlock]: thread 1 waits for a notification of `Raw.unlocked`
            stderr:
            shop: 1 bug. 5 entries (API items), 1364 schedules
                  reached 2 of 2 lock sites, 2 concurrently
                  stopped: a call waits for something that no other thread provides (1352 of 1364 schedules)
                  calls from two threads: 7 of 7 pairs at once
            status: 1
        "#]],
    );
}
