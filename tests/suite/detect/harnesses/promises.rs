//! Harnesses that use values from two threads as `Send`, `Sync` and pairs of values allow it.

use super::{library, short, silent};
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
    let (stdout, stderr, status) = wrong.output(&["check", "--no-cache", "."]);
    assert_eq!(status, 1, "{stderr}");
    let message = "`Stack` is `Sync` with values that are neither `Send` nor `Sync`, but the caller and thread 1 both \
                   use one, and nothing orders the two";
    assert!(stdout.contains(message), "{stdout}");
    assert!(stdout.contains("src/lib.rs:10:8"), "{stdout}");
    assert!(stdout.contains("called: `Stack::new`, then"), "{stdout}");
    silent(&right, &expect![""]);
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
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
}

#[test]
fn a_value_that_another_thread_made() {
    let late = "
use std::sync::Once;
use std::cell::UnsafeCell;

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
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
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
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
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
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
}

const PACKET: &str = "
use std::sync::{Arc, Condvar, Mutex};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

struct Inner {
    is_sent: AtomicBool,
    waits: Mutex<()>,
    sent: Condvar,
}

pub struct Sender(Arc<Inner>);
pub struct Receiver(Arc<Inner>);

pub fn signal() -> (Sender, Receiver) {
    let inner = Arc::new(Inner { is_sent: AtomicBool::new(false), waits: Mutex::new(()), sent: Condvar::new() });
    (Sender(inner.clone()), Receiver(inner))
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.is_sent.store(true, SeqCst);
        self.0.sent.notify_all();
    }
}

impl Receiver {
    pub fn wait(self) {
        let waits = self.0.waits.lock().unwrap();
        if !self.0.is_sent.load(SeqCst) {
            drop(self.0.sent.wait(waits).unwrap());
        }
    }
}
";

#[test]
fn a_wait_that_ends_in_every_order_of_whole_calls() {
    let store = "        self.0.is_sent.store(true, SeqCst);\n";
    let locked = format!("        let _waits = self.0.waits.lock().unwrap();\n{store}");
    let (wrong, right) = pair(PACKET, store, &locked);
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
    // A receiver may wait for a message that nobody sends: no order of the calls gives it one.
    silent(&library(&PACKET.replace("self.0.is_sent.store(true, SeqCst);", "")), &expect![""]);
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
    short(&library(logger), &expect![""]);
    silent(&library(&right), &expect![""]);
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
    short(&wrong, &expect![""]);
    silent(&right, &expect![""]);
}

#[test]
fn a_lock_of_ones_own_that_a_call_takes_twice() {
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

struct Raw {
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

pub struct List {
    raw: Raw,
    items: UnsafeCell<Vec<u32>>,
}

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
        let manifest = format!("{}[dependencies]\nlock_api = {{ path = \"lock_api\" }}\n", super::MANIFEST);
        let of_lock_api = super::MANIFEST.replace("shop", "lock_api");
        Folder::new(&[
            ("Cargo.toml", manifest.as_str()),
            ("src/lib.rs", text),
            ("lock_api/Cargo.toml", of_lock_api.as_str()),
            ("lock_api/src/lib.rs", lock_api),
        ])
    };
    short(&folder(map), &expect![""]);
    silent(&folder(&map.replace("items.shrink_to(self.len())", "items.shrink_to(items.len())")), &expect![""]);
}
