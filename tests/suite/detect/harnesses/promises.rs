//! Harnesses that use values from two threads as `Send`, `Sync` and pairs of values allow it.

use super::{CHECK, library, short, silent};
use crate::support::Folder;
use expect_test::expect;

/// A library, and the same with a text replaced.
fn pair(text: &str, wrong: &str, right: &str) -> (Folder, Folder) {
    assert!(text.contains(wrong));
    (library(text), library(&text.replace(wrong, right)))
}

const STACK: &str = "
use std::cell::UnsafeCell;
use std::sync::Mutex;

pub struct Stack<T> {
    lock: Mutex<()>,
    items: UnsafeCell<Vec<T>>,
}

unsafe impl<T> Sync for Stack<T> {}

impl<T> Stack<T> {
    pub fn new() -> Stack<T> {
        Stack { lock: Mutex::new(()), items: UnsafeCell::new(Vec::new()) }
    }
    pub fn push(&self, item: T) {
        let _lock = self.lock.lock().unwrap();
        unsafe { (*self.items.get()).push(item) }
    }
    pub fn pop(&self) -> Option<T> {
        let _lock = self.lock.lock().unwrap();
        unsafe { (*self.items.get()).pop() }
    }
}
";

#[test]
fn a_container_of_any_values() {
    let (wrong, right) = pair(STACK, "unsafe impl<T> Sync", "unsafe impl<T: Send> Sync");
    let (stdout, stderr, status) = wrong.output(&[&CHECK[..], &["."]].concat());
    assert_eq!(status, 1, "{stderr}");
    let message = "`Stack` is `Sync` with values that are neither `Send` nor `Sync`, but ";
    assert!(stdout.contains(message), "{stdout}");
    assert!(stdout.contains("src/lib.rs:10:8"), "{stdout}");
    assert!(stdout.contains("called: `Stack::new`"), "{stdout}");
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 1493 schedules
                  reached 2 of 2 lock sites, 2 concurrently; nothing left out
                  calls from two threads: 6 of 6 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_container_with_a_method_of_its_arc() {
    let len = "    pub fn len(self: std::sync::Arc<Self>) -> usize {
        let _lock = self.lock.lock().unwrap();
        unsafe { (*self.items.get()).len() }
    }
    pub fn pop";
    let stack = STACK.replace("    pub fn pop", len);
    let (wrong, right) = pair(
        &stack.replace("unsafe impl<T> Sync", "unsafe impl<T: Sync> Sync"),
        "unsafe impl<T: Sync> Sync",
        "unsafe impl<T: Send> Sync",
    );
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:10:8: error[data-race]: `Stack` is `Sync` with values that are not `Send`, but the caller and thread 1 both use one, and nothing orders the two
            stderr:
            shop: 1 bug. 3 entries (API items), 753 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 9 of 9 pairs at once
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 1456 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 12 of 12 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_lock_that_readers_share() {
    let lock = "
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::sync::RwLock;

pub struct Shelf<T> {
    lock: RwLock<()>,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Shelf<T> {}

pub struct Reading<'a, T> {
    _lock: std::sync::RwLockReadGuard<'a, ()>,
    value: &'a T,
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Shelf<T> {
    pub fn new(value: T) -> Shelf<T> {
        Shelf { lock: RwLock::new(()), value: UnsafeCell::new(value) }
    }
    pub fn read(&self) -> Reading<'_, T> {
        Reading { _lock: self.lock.read().unwrap(), value: unsafe { &*self.value.get() } }
    }
    pub fn set(&self, value: T) {
        let _lock = self.lock.write().unwrap();
        unsafe { *self.value.get() = value }
    }
}
";
    let (wrong, right) = pair(lock, "T: Send> Sync", "T: Send + Sync> Sync");
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:11:8: error[data-race]: `Shelf` is `Sync` with values that are not `Sync`, but the caller and thread 1 both use one, and nothing orders the two
            stderr:
            shop: 1 bug. 5 entries (API items), 1623 schedules
                  reached 2 of 2 lock sites, 2 concurrently; nothing left out
                  1 entry got one short schedule: it starts no thread, and nothing in it synchronises
                  calls from two threads: 6 of 7 pairs at once
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 5 entries (API items), 1599 schedules
                  reached 2 of 2 lock sites, 2 concurrently; nothing left out
                  1 entry got one short schedule: it starts no thread, and nothing in it synchronises
                  calls from two threads: 3 of 4 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_value_that_another_thread_made() {
    let late = "
use std::cell::UnsafeCell;
use std::sync::Once;

pub struct Late<T> {
    once: Once,
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Sync> Sync for Late<T> {}

impl<T> Late<T> {
    pub fn new() -> Late<T> {
        Late { once: Once::new(), value: UnsafeCell::new(None) }
    }
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        self.once.call_once(|| unsafe { *self.value.get() = Some(make()) });
        unsafe { (*self.value.get()).as_ref().unwrap() }
    }
}
";
    let (wrong, right) = pair(late, "T: Sync> Sync", "T: Send + Sync> Sync");
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:10:8: error[data-race]: `Late` is `Sync` with values that are not `Send`, but thread 1 and the caller both use one, and nothing orders the two
            stderr:
            shop: 1 bug. 3 entries (API items), 81 schedules
                  no locks, atomics, channels or awaits here
                  stopped: a call waits for something that no other thread provides (26 of 81 schedules)
                  calls from two threads: 2 of 2 pairs at once
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 57 schedules
                  no locks, atomics, channels or awaits here
                  stopped: a call waits for something that no other thread provides (23 of 57 schedules)
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
}

#[test]
fn an_arc_moves_only_if_its_value_may_be_shared() {
    let counter = "
use std::cell::Cell;
use std::sync::Arc;

#[derive(Clone)]
pub struct Counter {
    value: Cell<u32>,
}

impl Counter {
    pub fn new() -> Arc<Counter> {
        Arc::new(Counter { value: Cell::new(0) })
    }
    pub fn add(&self) {
        self.value.set(self.value.get() + 1);
    }
}
";
    silent(
        &library(counter),
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
fn a_value_that_moves() {
    let parcel = "
pub struct Parcel<T> {
    content: *mut T,
}

unsafe impl<T> Send for Parcel<T> {}

impl<T> Parcel<T> {
    pub fn new(content: T) -> Parcel<T> {
        Parcel { content: Box::into_raw(Box::new(content)) }
    }
    pub fn open(self) -> T {
        let content = unsafe { Box::from_raw(self.content) };
        std::mem::forget(self);
        *content
    }
}

impl<T> Drop for Parcel<T> {
    fn drop(&mut self) {
        drop(unsafe { Box::from_raw(self.content) });
    }
}
";
    let (wrong, right) = pair(parcel, "unsafe impl<T> Send", "unsafe impl<T: Send> Send");
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:6:8: error[data-race]: `Parcel` is `Send` with values that are neither `Send` nor `Sync`, but the caller and thread 1 both use one, and nothing orders the two
            stderr:
            shop: 1 bug. 3 entries (API items), 27 schedules
                  no locks, atomics, channels or awaits here; nothing left out
                  1 entry got one short schedule: it starts no thread, and nothing in it synchronises
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 3 entries (API items), 3 schedules
              no locks, atomics, channels or awaits here; nothing left out
              1 entry got one short schedule: it starts no thread, and nothing in it synchronises
        status: 0
    "#]],
    );
}

#[test]
fn the_halves_of_a_pair() {
    let channel = "
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::{Acquire, Release}};
use std::cell::UnsafeCell;

struct Inner<T> {
    ready: AtomicBool,
    value: UnsafeCell<Option<T>>,
}

pub struct Sender<T>(Arc<Inner<T>>);
pub struct Receiver<T>(Arc<Inner<T>>);

unsafe impl<T: Send> Send for Sender<T> {}
unsafe impl<T: Send> Send for Receiver<T> {}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let inner = Arc::new(Inner { ready: AtomicBool::new(false), value: UnsafeCell::new(None) });
    (Sender(inner.clone()), Receiver(inner))
}

impl<T> Sender<T> {
    pub fn send(self, value: T) {
        self.0.ready.store(true, Release);
        unsafe { *self.0.value.get() = Some(value) };
    }
}

impl<T> Receiver<T> {
    pub fn try_recv(&mut self) -> Option<T> {
        if self.0.ready.load(Acquire) { unsafe { (*self.0.value.get()).take() } } else { None }
    }
}
";
    let store = "        self.0.ready.store(true, Release);\n";
    let value = "        unsafe { *self.0.value.get() = Some(value) };\n";
    let (wrong, right) = pair(channel, &format!("{store}{value}"), &format!("{value}{store}"));
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:31:50: error[data-race]: the caller reads `Inner.value` here, which thread 1 writes, and nothing orders the two (with src/lib.rs:25:18)
            stderr:
            shop: 1 bug. 8 entries (API items), 35 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 3 of 4 pairs at once
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 8 entries (API items), 81 schedules
                  reached 2 of 2 atomic sites, 2 concurrently
                  1 entry would probably reach more with more schedules (raise `--effort`)
                  calls from two threads: 3 of 4 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn functions_and_their_statics() {
    let logger = "
use std::sync::Mutex;

static CONFIG: Mutex<u32> = Mutex::new(0);
static IS_INIT: Mutex<bool> = Mutex::new(false);

pub fn init(level: u32) {
    let mut config = CONFIG.lock().unwrap();
    *IS_INIT.lock().unwrap() = true;
    *config = level;
}

pub fn init_for_tests() {
    let mut is_init = IS_INIT.lock().unwrap();
    if !*is_init {
        *CONFIG.lock().unwrap() = 1;
        *is_init = true;
    }
}
";
    let second = "    *IS_INIT.lock().unwrap() = true;\n    *config = level;";
    let first = "    let mut config = CONFIG.lock().unwrap();\n";
    let right = logger
        .replace(first, "")
        .replace(second, "    *IS_INIT.lock().unwrap() = true;\n    *CONFIG.lock().unwrap() = level;");
    short(
        &library(logger),
        &expect![[r#"
            stdout:
            src/lib.rs:9:6: error[deadlock]: the caller waits for `IS_INIT` while holding `CONFIG`; thread 1 waits for `CONFIG` while holding `IS_INIT` (with src/lib.rs:16:10, src/lib.rs:14:23, src/lib.rs:8:22)
            stderr:
            shop: 1 bug. 3 entries (API items), 30 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 1
        "#]],
    );
    silent(
        &library(&right),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 305 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn handles_and_what_their_last_owner_does() {
    let pool = "
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

static NAMES: Mutex<Vec<(String, &'static AtomicUsize)>> = Mutex::new(Vec::new());

pub struct Name {
    text: String,
    owners: &'static AtomicUsize,
    used: *mut u32,
}

unsafe impl Send for Name {}

impl Name {
    pub fn new(text: &str) -> Name {
        let mut names = NAMES.lock().unwrap();
        let known = names.iter().find(|it| it.0 == text).map(|it| it.1);
        let owners = known.unwrap_or_else(|| {
            let owners: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
            names.push((text.to_owned(), owners));
            owners
        });
        owners.fetch_add(1, SeqCst);
        Name { text: text.to_owned(), owners, used: Box::into_raw(Box::new(0)) }
    }
    pub fn owners(&self) -> usize {
        self.owners.load(SeqCst)
    }
}

impl Clone for Name {
    fn clone(&self) -> Name {
        self.owners.fetch_add(1, SeqCst);
        Name { text: self.text.clone(), owners: self.owners, used: self.used }
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        unsafe { *self.used += 1 };
        self.owners.fetch_sub(1, SeqCst);
    }
}
";
    let shared = "used: self.used";
    let (wrong, right) = pair(pool, shared, "used: Box::into_raw(Box::new(0))");
    short(
        &wrong,
        &expect![[r#"
            stdout:
            src/lib.rs:41:18: error[data-race]: thread 1 updates `Name.used` here, which the caller updates, and nothing orders the two
            stderr:
            shop: 1 bug. 3 entries (API items), 30 schedules
                  reached 1 of 1 lock site, 1 concurrently; 4 of 4 atomic sites, 4 concurrently; nothing left out
                  calls from two threads: 10 of 10 pairs at once
            status: 1
        "#]],
    );
    silent(
        &right,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 797 schedules
                  reached 1 of 1 lock site, 1 concurrently; 4 of 4 atomic sites, 4 concurrently; nothing left out
                  calls from two threads: 10 of 10 pairs at once
            status: 0
        "#]],
    );
}

/// As in futures-intrusive 0.5.0: the report names what polls the future, and no helper of harnesses.
#[test]
fn a_future_that_moves_with_a_reference() {
    let text = "
use std::{cell::UnsafeCell, future::Future, pin::Pin, sync::Mutex, task::{Context, Poll}};

pub struct Locked<T> {
    is_locked: Mutex<bool>,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Locked<T> {}

pub struct Lock<'a, T> {
    of: &'a Locked<T>,
    _not_send: *const (),
}

unsafe impl<T> Send for Lock<'_, T> {}

pub struct Guard<'a, T> {
    of: &'a Locked<T>,
    _not_send: *const (),
}

impl<T> Locked<T> {
    pub fn new(value: T) -> Locked<T> {
        Locked { is_locked: Mutex::new(false), value: UnsafeCell::new(value) }
    }
    pub fn lock(&self) -> Lock<'_, T> {
        Lock { of: self, _not_send: std::ptr::null() }
    }
}

impl<'a, T> Future for Lock<'a, T> {
    type Output = Guard<'a, T>;
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Guard<'a, T>> {
        let mut is_locked = self.of.is_locked.lock().unwrap();
        if *is_locked {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        *is_locked = true;
        Poll::Ready(Guard { of: self.of, _not_send: std::ptr::null() })
    }
}

impl<T> std::ops::Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        unsafe { &*self.of.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        *self.of.is_locked.lock().unwrap() = false;
    }
}
";
    let (wrong, right) = pair(text, "unsafe impl<T> Send", "unsafe impl<T: Send> Send");
    let (stdout, stderr, status) = wrong.output(&[&CHECK[..], &["."]].concat());
    assert_eq!(status, 1, "{stderr}");
    assert!(stdout.contains("`Lock` is `Send` with values that are "), "{stdout}");
    assert!(stdout.contains("then `Lock::poll`"), "{stdout}");
    assert!(!stdout.contains("__harness"), "{stdout}");
    let (stdout, stderr, status) = right.output(&[&CHECK[..], &["."]].concat());
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}
