//! `replay --as`: the calls of a harness as a test that compiles.

use super::library;
use crate::support::Folder;
use expect_test::{Expect, expect};
use std::process::Command;

/// The elements of the lists with this name in values.
fn lists_of<'a>(of: &[&'a serde_json::Value], key: &str) -> Vec<&'a serde_json::Value> {
    of.iter().filter_map(|it| it[key].as_array()).flatten().collect()
}

/// Checks a library, prints its first finding about something as a test, compares that, and compiles it.
fn printed(folder: &Folder, about: &str, expected: &Expect) {
    let (stdout, stderr, _) = folder.output(&["check", "--no-cache", "--format", "json", "."]);
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let findings = lists_of(&lists_of(&lists_of(&[&report], "parts"), "packages"), "findings");
    let chosen: Vec<&serde_json::Value> = findings.into_iter().filter(|it| it.to_string().contains(about)).collect();
    let id = chosen.first().and_then(|it| it["replay"].as_str()).unwrap_or_else(|| panic!("no {about}: {stdout}"));
    let (test, stderr, status) = folder.output(&["replay", id, "--as", "miri"]);
    assert_eq!(status, 0, "{stderr}");
    let begin = test.find("#[test]").unwrap_or_else(|| panic!("no test: {test}"));
    expected.assert_eq(&test[begin..]);
    compiles(folder, &test);
    // Without the saved finding, the library is checked again.
    std::fs::remove_dir_all(folder.path().join(".cache/tsvd-check/findings")).expect("the finding was saved there");
    let (again, stderr, _) = folder.output(&["replay", id, "--as", "miri"]);
    assert_eq!(again, test, "{stderr}");
}

/// Compiles a test against the library.
fn compiles(folder: &Folder, test: &str) {
    folder.write("it.rs", test.as_bytes());
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let run = |args: &[&str]| {
        let mut command = Command::new(&rustc);
        command.args(["--edition", "2024", "--cap-lints", "allow"]).args(args).current_dir(folder.path());
        let output = command.output().expect("rustc is there");
        assert!(output.status.success(), "{test}\n{}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["--crate-type", "lib", "--crate-name", "shop", "--emit", "metadata", "src/lib.rs"]);
    run(&["--test", "--crate-name", "it", "--emit", "metadata", "--extern", "shop=libshop.rmeta", "it.rs"]);
}

#[test]
fn calls_from_two_threads() {
    let shelf = "
use std::cell::UnsafeCell;
use std::time::Duration;

pub mod parts {
    #[derive(Clone, Copy)]
    pub enum Side { Left, Right }

    pub struct Options { pub side: Side, pub width: i8 }
}

pub struct Shelf<T> {
    items: UnsafeCell<Vec<T>>,
}

unsafe impl<T: Send> Sync for Shelf<T> {}

impl<T: Copy> Shelf<T> {
    pub fn with(options: parts::Options, name: &str) -> Option<Shelf<T>> {
        let _ = (options.side, options.width, name);
        Some(Shelf { items: UnsafeCell::new(Vec::new()) })
    }
    pub fn clear(&mut self) {}
    pub fn put(&self, item: T, _: Duration) {
        unsafe { (*self.items.get()).push(item) }
    }
}
";
    printed(
        &library(shelf),
        "Shelf.items",
        &expect![[r##"
            #[test]
            fn thread_safety_violation_in_shelf() {
                let mut shelf = shop::Shelf::<u32>::with(shop::parts::Options { side: shop::parts::Side::Left, width: 2 }, "2").unwrap();
                let _ = shelf.clear();
                let start = std::time::Instant::now();
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        wait_until(start, 1);
                        let _ = shelf.put(8, std::time::Duration::from_millis(5));
                    });
                    let _ = shelf.put(8, std::time::Duration::from_millis(5));
                });
            }

            /// Waits so that calls follow each other as in the run that was found.
            fn wait_until(start: std::time::Instant, calls: u32) {
                let until = start + calls * std::time::Duration::from_millis(100);
                std::thread::sleep(until.saturating_duration_since(std::time::Instant::now()));
            }
        "##]],
    );
}

#[test]
fn two_values_that_lock_each_other() {
    let account = "
use std::sync::Mutex;

pub struct Account {
    balance: Mutex<i32>,
}

impl Account {
    pub fn new(balance: i32) -> Account {
        Account { balance: Mutex::new(balance) }
    }
    pub fn take_from(&self, other: &Account) {
        let mut own = self.balance.lock().unwrap();
        *own = own.wrapping_add(*other.balance.lock().unwrap());
    }
}
";
    printed(
        &library(account),
        "Account.balance",
        &expect![[r#"
            #[test]
            fn deadlock_in_account() {
                let account = shop::Account::new(5);
                let account2 = shop::Account::new(6);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let _ = account2.take_from(&account);
                    });
                    let _ = account.take_from(&account2);
                });
            }

        "#]],
    );
}

#[test]
fn values_that_must_not_be_shared() {
    let cell = "
use std::sync::Mutex;

pub struct Drawer<T: Ord> {
    item: Mutex<Option<T>>,
}

unsafe impl<T: Ord> Sync for Drawer<T> {}

impl<T: Ord> Drawer<T> {
    pub fn new() -> Drawer<T> {
        Drawer { item: Mutex::new(None) }
    }
    pub fn put(&self, item: T) -> Option<T> {
        self.item.lock().unwrap().replace(item)
    }
}
";
    printed(
        &library(cell),
        "is `Sync` with values",
        &expect![[r#"
            #[test]
            fn data_race_in_drawer() {
                let drawer = shop::Drawer::<Local>::new();
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let _ = drawer.put(Local::default());
                        touch_kept();
                    });
                    touch_kept();
                });
            }

            thread_local! {
                /// A counter that only its own thread may use.
                static KEPT: &'static std::cell::Cell<u32> = Box::leak(Box::new(std::cell::Cell::new(0)));
            }

            fn touch_kept() {
                KEPT.with(|kept| kept.set(kept.get() + 1));
            }

            /// Neither `Send` nor `Sync`.
            struct Local(&'static std::cell::Cell<u32>);

            impl Local {
                fn touch(&self) {
                    self.0.set(self.0.get() + 1);
                }
            }

            impl Default for Local {
                fn default() -> Self {
                    Local(KEPT.with(|kept| *kept))
                }
            }

            impl Clone for Local {
                fn clone(&self) -> Self {
                    self.touch();
                    Self::default()
                }
            }

            impl Drop for Local {
                fn drop(&mut self) {
                    self.touch();
                }
            }

            impl PartialEq for Local {
                fn eq(&self, _: &Self) -> bool {
                    self.touch();
                    true
                }
            }

            impl Eq for Local {}

            impl PartialOrd for Local {
                fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                    Some(self.cmp(other))
                }
            }

            impl Ord for Local {
                fn cmp(&self, _: &Self) -> std::cmp::Ordering {
                    self.touch();
                    std::cmp::Ordering::Equal
                }
            }
        "#]],
    );
}

#[test]
fn halves_futures_and_callbacks() {
    let channel = "
use std::cell::UnsafeCell;
use std::sync::Arc;

pub struct Writer<F>(Arc<Slot>, F);
pub struct Reader(Arc<Slot>);
struct Slot(UnsafeCell<u64>);

unsafe impl Sync for Slot {}
unsafe impl Send for Slot {}

pub fn slot<F: Fn(&u64) -> bool>(check: F) -> (Writer<F>, Reader) {
    let slot = Arc::new(Slot(UnsafeCell::new(0)));
    (Writer(slot.clone(), check), Reader(slot))
}

impl<F: Fn(&u64) -> bool> Writer<F> {
    pub async fn write(&mut self, value: u64) {
        if !(self.1)(&value) {
            unsafe { *self.0.0.get() = value }
        }
    }
}

impl Reader {
    pub fn read(&self) -> Result<u64, String> {
        Ok(unsafe { *self.0.0.get() })
    }
}
";
    printed(
        &library(channel),
        "Slot.0",
        &expect![[r#"
            #[test]
            fn data_race_in_slot() {
                let (mut writer, reader) = shop::slot(|_| bool::default());
                let start = std::time::Instant::now();
                std::thread::scope(|scope| {
                    scope.spawn(move || {
                        wait_until(start, 1);
                        let _ = replace_waker(writer.write(0));
                        drop(writer);
                    });
                    let _ = reader.read();
                    drop(reader);
                });
            }

            struct Unparks(std::thread::Thread);

            impl std::task::Wake for Unparks {
                fn wake(self: std::sync::Arc<Self>) {
                    self.0.unpark();
                }
            }

            fn waker() -> std::task::Waker {
                std::task::Waker::from(std::sync::Arc::new(Unparks(std::thread::current())))
            }

            fn block_on<F: std::future::Future>(future: F) -> F::Output {
                let mut future = std::pin::pin!(future);
                let waker = waker();
                loop {
                    match future.as_mut().poll(&mut std::task::Context::from_waker(&waker)) {
                        std::task::Poll::Ready(value) => return value,
                        std::task::Poll::Pending => std::thread::park(),
                    }
                }
            }

            fn replace_waker<F: std::future::Future>(future: F) -> F::Output {
                let mut future = std::pin::pin!(future);
                match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
                    std::task::Poll::Ready(value) => value,
                    std::task::Poll::Pending => block_on(future),
                }
            }

            /// Waits so that calls follow each other as in the run that was found.
            fn wait_until(start: std::time::Instant, calls: u32) {
                let until = start + calls * std::time::Duration::from_millis(100);
                std::thread::sleep(until.saturating_duration_since(std::time::Instant::now()));
            }
        "#]],
    );
}

#[test]
fn a_callback_that_calls_the_object() {
    let counter = "
use std::sync::Mutex;

#[derive(Default)]
pub struct Counter {
    count: Mutex<u64>,
}

impl Counter {
    pub fn update(&self, change: impl Fn(u64) -> u64) {
        let mut count = self.count.lock().unwrap();
        *count = change(*count);
    }
    pub fn get(&self) -> u64 {
        *self.count.lock().unwrap()
    }
}
";
    printed(
        &library(counter),
        "Counter.count",
        &expect![[r#"
            #[test]
            fn deadlock_in_counter() {
                let counter = shop::Counter::default();
                let _ = counter.update(|value| {
                    let _ = counter.get();
                    value
                });
            }

        "#]],
    );
}

#[test]
fn programs_and_private_items_are_no_tests() {
    let ring = "
use std::sync::{Arc, Mutex};

static LEFT: Mutex<u32> = Mutex::new(0);
static RIGHT: Mutex<u32> = Mutex::new(0);

#[test]
fn both() {
    let thread = std::thread::spawn(|| {
        let _left = LEFT.lock().unwrap();
        let _right = RIGHT.lock().unwrap();
    });
    let _right = RIGHT.lock().unwrap();
    let _left = LEFT.lock().unwrap();
    drop((_left, _right));
    thread.join().unwrap();
}
";
    let folder = library(ring);
    let (stdout, _, _) = folder.output(&["check", "--no-cache", "."]);
    let id = stdout.split("tsvd-check replay ").nth(1).map_or("", |rest| &rest[..6]);
    folder.expect(
        &["replay", id, "--as", "std"],
        &expect![[r#"
        stdout:
        stderr:
        error: shop::both cannot be printed as a test: it is no harness; run the program or test itself
        status: 2
    "#]],
    );
}

#[test]
fn a_stub_is_written_with_the_values_of_the_run() {
    let meter = "
use std::cell::Cell;
use std::io::Result;

/// Must not use the meter, or there is a deadlock.
pub trait Clock: Send + Sync {
    const NAME: &'static str;
    type Moment: Copy;
    fn now(&self) -> Result<u64>;
    fn moment(&self) -> Self::Moment;
    fn is_late(&self, name: &str) -> Option<bool>;
    fn later(&self) -> impl Future<Output = Self::Moment> + Send;
    fn set<T: Into<u64>>(&mut self, to: T);
}

pub struct Meter<C> {
    clock: C,
    last: Cell<u64>,
}

unsafe impl<C> Sync for Meter<C> {}

impl<C: Clock> Meter<C> {
    pub fn new(clock: C) -> Meter<C> {
        Meter { clock, last: Cell::new(0) }
    }
    pub fn measure(&self) -> u64 {
        let now = self.clock.now().unwrap_or_default();
        now - self.last.replace(now)
    }
}
";
    printed(
        &library(meter),
        "Meter.last",
        &expect![[r##"
            #[test]
            fn thread_safety_violation_in_meter() {
                let meter = shop::Meter::<Stub>::new(Stub::default());
                let start = std::time::Instant::now();
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        wait_until(start, 1);
                        let _ = meter.measure();
                    });
                    let _ = meter.measure();
                });
            }

            /// Waits so that calls follow each other as in the run that was found.
            fn wait_until(start: std::time::Instant, calls: u32) {
                let until = start + calls * std::time::Duration::from_millis(100);
                std::thread::sleep(until.saturating_duration_since(std::time::Instant::now()));
            }

            #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct Stub(pub u32);

            impl ::std::fmt::Display for Stub {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.write_str("stub")
                }
            }

            impl ::std::error::Error for Stub {}

            impl shop::Clock for Stub {
                const NAME: &'static str = "stub";
                type Moment = u32;
                fn now(&self) -> std::io::Result<u64> {
                    Ok(2)
                }
                fn moment(&self) -> Self::Moment {
                    Default::default()
                }
                fn is_late(&self, name: &str) -> Option<bool> {
                    Some(false)
                }
                fn later(&self) -> impl Future<Output = Self::Moment> + Send {
                    async move {
                    Default::default()
                    }
                }
                fn set<T: Into<u64>>(&mut self, to: T) {
                }
            }
        "##]],
    );
}
