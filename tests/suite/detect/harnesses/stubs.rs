//! Harnesses with stubs: types that implement the traits that a library's users have to implement.

use super::{CHECK, library, short, silent};
use crate::support::Folder;
use expect_test::expect;

const POOL: &str = "
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Makes what a pool holds.
pub trait Manager: Send + Sync + 'static {
    type Connection: Send;
    type Error: Error;
    /// Makes one.
    fn connect(&self, number: u32) -> Result<Self::Connection, Self::Error>;
    fn is_broken(&self, connection: &mut Self::Connection) -> bool;
}

pub struct Pool<M: Manager> {
    manager: M,
    idle: Mutex<Vec<M::Connection>>,
    made: AtomicU32,
}

impl<M: Manager> Pool<M> {
    pub fn new(manager: M) -> Pool<M> {
        Pool { manager, idle: Mutex::new(Vec::new()), made: AtomicU32::new(0) }
    }
    /// Gives a connection, which is made if there is none.
    pub fn get(&self) -> Result<M::Connection, M::Error> {
        let mut idle = self.idle.lock().unwrap();
        match idle.pop() {
            Some(it) => Ok(it),
            None => self.manager.connect(self.made.fetch_add(1, Ordering::Relaxed)),
        }
    }
    pub fn put(&self, mut it: M::Connection) {
        if !self.manager.is_broken(&mut it) {
            self.idle.lock().unwrap().push(it);
        }
    }
}
";

#[test]
fn an_implementation_that_calls_the_object_under_its_lock() {
    short(
        &library(POOL),
        &expect![[r#"
            stdout:
            src/lib.rs:35:13: error[deadlock]: thread 1 waits for `Pool.idle`, which it holds itself (with src/lib.rs:27:24)
            stderr:
            shop: 1 bug. 2 entries (API items), 29 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 1 of 1 atomic site, 1 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  uninterpreted: a value from outside the program (src/lib.rs:30:34 and 1 more location)
            status: 1
        "#]],
    );
    let (stdout, stderr, _) = library(POOL).output(&[&CHECK[..], &["."]].concat());
    assert!(stdout.contains("an implementation of `Manager::connect` calls `Pool::"), "{stdout}{stderr}");
}

#[test]
fn an_implementation_that_is_called_without_a_lock() {
    let unlocked = POOL.replace(
        "let mut idle = self.idle.lock().unwrap();
        match idle.pop() {",
        "let known = self.idle.lock().unwrap().pop();
        match known {",
    );
    assert_ne!(unlocked, POOL);
    silent(
        &library(&unlocked),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 687 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 1 of 1 atomic site, 1 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  uninterpreted: a value from outside the program (src/lib.rs:30:34 and 1 more location)
            status: 0
        "#]],
    );
}

#[test]
fn the_documentation_of_a_trait_or_method_warns() {
    for (place, warning) in [
        ("/// Makes one.", "/// Must not call the pool: that would deadlock."),
        ("/// Makes what a pool holds.", "/// A method that uses the pool may deadlock."),
    ] {
        let warned = POOL.replace(place, warning);
        assert_ne!(warned, POOL);
        let (stdout, stderr, status) = library(&warned).output(&[&CHECK[..], &["--format", "short", "."]].concat());
        assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    }
}

const CHANNEL: &str = "
use std::sync::Mutex;

/// Where a channel keeps what is sent.
pub trait Buffer {
    fn with_capacity(count: usize) -> Self;
    fn len(&self) -> usize;
    fn push(&mut self, it: u32);
    fn pop(&mut self) -> u32;
}

pub struct Channel<B: Buffer> {
    buffer: Mutex<B>,
}

impl<B: Buffer> Channel<B> {
    pub fn new(count: usize) -> Channel<B> {
        Channel { buffer: Mutex::new(B::with_capacity(count)) }
    }
    pub fn try_send(&self, it: u32) -> bool {
        let mut buffer = self.buffer.lock().unwrap();
        let is_full = buffer.len() > 8;
        if !is_full {
            buffer.push(it);
        }
        !is_full
    }
    pub fn try_receive(&self) -> Option<u32> {
        let mut buffer = self.buffer.lock().unwrap();
        (buffer.len() > 0).then(|| buffer.pop())
    }
}
";

/// As in futures-intrusive 0.5.0: the channel makes its buffer, which therefore knows no channel that it could call.
#[test]
fn an_implementation_whose_values_the_library_makes() {
    let by_default = CHANNEL
        .replace("pub trait Buffer {", "pub trait Buffer: Default {")
        .replace("    fn with_capacity(count: usize) -> Self;\n", "")
        .replace("B::with_capacity(count)", "B::default()");
    for text in [CHANNEL, &by_default] {
        let (stdout, stderr, status) = library(text).output(&[&CHECK[..], &["--format", "short", "."]].concat());
        assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
        assert!(stderr.contains("3 of 3 pairs at once"), "{stderr}");
    }
    let by_the_user = CHANNEL
        .replace("    fn with_capacity(count: usize) -> Self;\n", "")
        .replace("new(count: usize)", "new(buffer: B)")
        .replace("B::with_capacity(count)", "buffer");
    let (stdout, stderr, _) = library(&by_the_user).output(&[&CHECK[..], &["."]].concat());
    assert!(stdout.contains("an implementation of `Buffer::len` calls `Channel::"), "{stdout}{stderr}");
}

/// A panic that calls one after the other show too is the caller's fault.
#[test]
fn a_failure_of_an_implementation() {
    let fails = POOL
        .replace(
            "let mut idle = self.idle.lock().unwrap();
        match idle.pop() {",
            "let known = self.idle.lock().unwrap().pop();
        match known {",
        )
        .replace(
            "self.manager.connect(self.made.fetch_add(1, Ordering::Relaxed))",
            "Ok(self.manager.connect(1).unwrap())",
        );
    assert!(fails.contains("unwrap())"));
    let (stdout, stderr, status) = library(&fails).output(&[&CHECK[..], &["--format", "short", "."]].concat());
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("3 of 3 pairs at once"), "{stderr}");
}

/// The implementation in an example never waits.
#[test]
fn a_stub_beside_the_implementation_of_an_example() {
    let text = "
//! ```
//! struct Ready;
//! impl shop::Source for Ready {
//!     async fn next(&self) -> Option<u32> { None }
//! }
//! let reader = shop::Reader::new(Ready);
//! ```
use std::cell::UnsafeCell;

pub trait Source {
    async fn next(&self) -> Option<u32>;
}

pub struct Reader<S> {
    source: S,
    is_busy: std::sync::atomic::AtomicBool,
    last: UnsafeCell<u32>,
}

unsafe impl<S: Sync> Sync for Reader<S> {}

impl<S: Source> Reader<S> {
    pub fn new(source: S) -> Reader<S> {
        Reader { source, is_busy: false.into(), last: UnsafeCell::new(0) }
    }
    /// Reads one, unless somebody else does.
    pub async fn read(&self) {
        if self.is_busy.load(std::sync::atomic::Ordering::Acquire) {
            return;
        }
        if let Some(next) = self.source.next().await {
            self.is_busy.store(true, std::sync::atomic::Ordering::Release);
            unsafe { *self.last.get() = next };
            self.is_busy.store(false, std::sync::atomic::Ordering::Release);
        }
    }
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:34:22: error[data-race]: thread 1 writes `Reader.last` here, which the caller writes, and nothing orders the two
            stderr:
            shop: 1 bug. 4 entries (1 test, 3 API items), 28 schedules
                  reached 3 of 3 atomic sites, 3 concurrently; 1 of 1 await site, 1 concurrently
                  calls from two threads: 2 of 2 pairs at once
                  uninterpreted: a value from outside the program (src/lib.rs:32:29)
            status: 1
        "#]],
    );
}

/// A value that only a stub can be makes a type usable.
#[test]
fn a_race_behind_a_trait_object() {
    let text = "
use std::cell::Cell;

pub trait Observer: Send + Sync {
    fn changed(&self, value: u32);
}

pub struct Subject {
    observer: Box<dyn Observer>,
    value: Cell<u32>,
}

unsafe impl Sync for Subject {}

impl Subject {
    pub fn new(observer: Box<dyn Observer>) -> Subject {
        Subject { observer, value: Cell::new(0) }
    }
    pub fn change(&self, value: u32) {
        self.value.set(value);
        self.observer.changed(value);
    }
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:20:9: error[thread-safety-violation]: thread 1 calls `Cell::set` on `Subject.value` here, the caller called it too, and nothing orders the two
            stderr:
            shop: 1 bug. 3 entries (API items), 27 schedules
                  no locks, atomics, channels or awaits here
                  1 entry got one short schedule: it starts no thread, and nothing in it synchronises
                  calls from two threads: 0 of 1 pair at once
                  uninterpreted: a value from outside the program (src/lib.rs:21:23)
            status: 1
        "#]],
    );
}

/// A value of the library comes from its public functions, and what a value refers to outlives the method.
#[test]
fn what_methods_return_is_valid() {
    let text = "
use std::sync::atomic::{AtomicU32, Ordering};

/// The place of a counter.
pub struct Place {
    index: usize,
    steps: &'static [u32],
}

impl Place {
    fn new(index: usize, steps: &'static [u32]) -> Place {
        Place { index, steps }
    }
    pub fn first(steps: &'static [u32]) -> Place {
        Place::new(0, steps)
    }
}

pub trait Chooser: Send + Sync {
    fn choose(&self) -> Place;
}

pub struct Counter<C> {
    chooser: C,
    counter: AtomicU32,
}

impl<C: Chooser> Counter<C> {
    pub fn new(chooser: C) -> Counter<C> {
        Counter { chooser, counter: AtomicU32::new(0) }
    }
    pub fn count(&self) {
        let place = self.chooser.choose();
        if place.index != 0 {
            std::process::abort();
        }
        self.counter.fetch_add(place.steps.iter().sum(), Ordering::Relaxed);
    }
}
";
    let (stdout, stderr, status) = library(text).output(&[&CHECK[..], &["--format", "short", "."]].concat());
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("reached 1 of 1 atomic site, 1 concurrently") && !stderr.contains("abort"), "{stderr}");
}

/// An imitation of lock_api: its traits say what the compiler does not check.
const LOCK_API: &str = "
use std::num::NonZeroUsize;

pub struct GuardSend(());

/// # Safety
/// It excludes others.
pub unsafe trait RawMutex {
    const INIT: Self;
    type GuardMarker;
    fn lock(&self);
    fn try_lock(&self) -> bool;
    unsafe fn unlock(&self);
}

/// # Safety
/// No two threads have one number.
pub unsafe trait GetThreadId {
    const INIT: Self;
    fn nonzero_thread_id(&self) -> NonZeroUsize;
}
";

/// A count of a lock's holder. The type itself has no bounds.
const REENTRANT: &str = "
use lock_api::{GetThreadId, RawMutex};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Reentrant<R, G> {
    raw: R,
    numbers: G,
    owner: AtomicUsize,
    count: Cell<usize>,
}

unsafe impl<R: Sync, G: Sync> Sync for Reentrant<R, G> {}

impl<R: RawMutex, G: GetThreadId> Reentrant<R, G> {
    pub const fn new() -> Reentrant<R, G> {
        Reentrant { raw: R::INIT, numbers: G::INIT, owner: AtomicUsize::new(0), count: Cell::new(0) }
    }
    pub fn with(&self, what: impl FnOnce()) {
        let own = self.numbers.nonzero_thread_id().get();
        if self.owner.load(Ordering::Relaxed) != own {
            self.raw.lock();
            self.owner.store(own, Ordering::Relaxed);
        }
        self.count.set(self.count.get() + 1);
        what();
        let count = self.count.get() - 1;
        if count == 0 {
            self.owner.store(0, Ordering::Relaxed);
            unsafe { self.raw.unlock() };
        }
        self.count.set(count);
    }
}
";

fn with_lock_api(library: &str) -> Folder {
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
                    lock_api = { path = \"lock_api\" }\n";
    let of_traits = "[package]\nname = \"lock_api\"\nversion = \"0.4.1\"\nedition = \"2024\"\n";
    Folder::new(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", library),
        ("lock_api/Cargo.toml", of_traits),
        ("lock_api/src/lib.rs", LOCK_API),
    ])
}

/// The implementations are ours: a made-up one could not keep the contract.
#[test]
fn a_lock_for_a_type_with_any_lock() {
    let (stdout, stderr, status) = with_lock_api(REENTRANT).output(&[&CHECK[..], &["."]].concat());
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("on `Reentrant.count`, and nothing orders the two"), "{stdout}{stderr}");
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let folder = with_lock_api(REENTRANT);
    folder.output(&["check", "."]);
    let (test, stderr, _) = folder.output(&["replay", id.unwrap_or_default(), "--as", "miri"]);
    assert!(test.contains("Reentrant::<Lock, ThreadNumber>") && test.contains("pub struct Lock("), "{test}{stderr}");
}

#[test]
fn a_lock_that_is_let_go_last() {
    let repaired = REENTRANT.replace("        self.count.set(count);\n    }", "    }").replace(
        "let count = self.count.get() - 1;",
        "let count = self.count.get() - 1;\n        self.count.set(count);",
    );
    assert_ne!(repaired, REENTRANT);
    silent(
        &with_lock_api(&repaired),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (API items), 802 schedules
                  reached 3 of 3 atomic sites, 3 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
}
