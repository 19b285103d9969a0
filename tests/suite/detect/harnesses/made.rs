//! Calls on made values: trait methods, values from builders and other functions, values shared in an `Arc`.

use super::{CHECK, MANIFEST, library, short};
use crate::support::Folder;
use expect_test::expect;

/// A cell that promises too much.
const CELL: &str = "
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Cell(UnsafeCell<u64>);
unsafe impl Send for Cell {}
unsafe impl Sync for Cell {}
";

/// The output for a library with [`CELL`]: the first lines of findings, and the summary.
fn said(text: &str) -> String {
    let folder = library(&format!("{CELL}{text}"));
    folder.shown(&[&CHECK[..], &["--format", "short", "."]].concat())
}

/// It has a race on the cell.
fn races(text: &str) {
    let said = said(text);
    assert!(said.contains("error[data-race]") && said.contains("which the caller reads"), "{said}");
}

#[test]
fn methods_by_traits() {
    races(
        "
pub struct Stat(Arc<Cell>);
pub trait Metric { fn start(&self); fn get(&self) -> u64; }
impl Stat { pub fn new() -> Self { Stat(Arc::new(Cell(UnsafeCell::new(0)))) } }
impl Metric for Stat {
    fn start(&self) { let me = self.0.clone(); thread::spawn(move || unsafe { *me.0.get() = 1 }); }
    fn get(&self) -> u64 { unsafe { *self.0.0.get() } }
}
",
    );
}

#[test]
fn provided_methods_and_iterators() {
    races(
        "
pub struct Stat(Arc<Cell>);
pub trait Metric {
    fn cell(&self) -> u64;
    fn twice(&self) -> u64 { self.cell() * 2 }
}
impl Stat { pub fn new() -> Self { Stat(Arc::new(Cell(UnsafeCell::new(0)))) } }
impl Metric for Stat { fn cell(&self) -> u64 { 3 } }
impl Iterator for Stat {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let me = self.0.clone();
        thread::spawn(move || unsafe { *me.0.get() = 1 });
        Some(unsafe { *self.0.0.get() })
    }
}
",
    );
}

#[test]
fn a_trait_that_nobody_can_name_is_not_called() {
    let said = said(
        "
mod sealed { pub trait Metric { fn start(&self); } }
pub struct Stat(Arc<Cell>);
impl Stat {
    pub fn new() -> Self { Stat(Arc::new(Cell(UnsafeCell::new(0)))) }
    pub fn get(&self) -> u64 { unsafe { *self.0.0.get() } }
}
impl sealed::Metric for Stat {
    fn start(&self) { let me = self.0.clone(); thread::spawn(move || unsafe { *me.0.get() = 1 }); }
}
",
    );
    assert!(said.contains("no bug found") && !said.contains("not called"), "{said}");
}

#[test]
fn what_is_written_to_and_polled() {
    races(
        "
use std::{fmt, future::Future, pin::Pin, task::{Context, Poll}};
pub struct Stat(Arc<Cell>);
impl Stat { pub fn new() -> Self { Stat(Arc::new(Cell(UnsafeCell::new(0)))) } }
impl fmt::Display for Stat {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result { write!(to, \"{}\", unsafe { *self.0.0.get() }) }
}
impl Future for Stat {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> { Poll::Ready(()) }
}
impl Stat {
    pub fn start(&self) { let me = self.0.clone(); thread::spawn(move || unsafe { *me.0.get() = 1 }); }
}
",
    );
}

#[test]
fn values_of_builders() {
    races(
        "
pub struct Stat(Arc<Cell>);
pub struct Builder { from: u64 }
impl Builder {
    pub fn new() -> Self { Builder { from: 0 } }
    pub fn from(mut self, from: u64) -> Self { self.from = from; self }
    pub fn build(self) -> Result<Stat, String> {
        let cell = Arc::new(Cell(UnsafeCell::new(self.from)));
        let me = cell.clone();
        thread::spawn(move || unsafe { *me.0.get() = 1 });
        Ok(Stat(cell))
    }
}
impl Stat { pub fn get(&self) -> u64 { unsafe { *self.0.0.get() } } }
",
    );
}

#[test]
fn one_of_a_pair() {
    races(
        "
pub struct Writer<T>(Arc<Cell>, std::marker::PhantomData<T>);
pub struct Reader<T>(Arc<Cell>, std::marker::PhantomData<T>);
pub fn pair<T>() -> (Writer<T>, Reader<T>) {
    let cell = Arc::new(Cell(UnsafeCell::new(0)));
    let me = cell.clone();
    thread::spawn(move || unsafe { *me.0.get() = 1 });
    (Writer(cell.clone(), std::marker::PhantomData), Reader(cell, std::marker::PhantomData))
}
impl<T> Writer<T> { pub fn hold(&self) {} }
impl<T> Reader<T> { pub fn get(&self) -> u64 { unsafe { *self.0.0.get() } } }
",
    );
}

#[test]
fn what_is_shared() {
    races(
        "
pub struct Stat(Cell, bool);
impl Stat {
    pub fn new() -> Self { Stat(Cell(UnsafeCell::new(0)), false) }
    pub fn prepare(&mut self) { self.1 = true; }
    pub fn start(self: &Arc<Self>) {
        if self.1 {
            let me = self.clone();
            thread::spawn(move || unsafe { *me.0.0.get() = 1 });
        }
    }
    pub fn get(&self) -> u64 { unsafe { *self.0.0.get() } }
}
",
    );
    races(
        "
pub struct Stat(Cell);
impl Stat {
    pub fn new() -> Self { Stat(Cell(UnsafeCell::new(0))) }
    pub fn run(self: Arc<Self>) { thread::spawn(move || unsafe { *self.0.0.get() = 1 }); }
    pub fn get(&self) -> u64 { unsafe { *self.0.0.get() } }
}
",
    );
}

#[test]
fn functions_of_a_type_without_values() {
    races(
        "
pub struct Job(Arc<Cell>);
impl Job {
    pub fn run(from: u64) -> u64 {
        let cell = Arc::new(Cell(UnsafeCell::new(from)));
        let me = cell.clone();
        thread::spawn(move || unsafe { *me.0.get() = 1 });
        unsafe { *cell.0.get() }
    }
    pub fn value(&self) -> u64 { unsafe { *self.0.0.get() } }
}
",
    );
}

/// Like async-std's `io::timeout`: the type of the first parameter depends on the second.
#[test]
fn a_future_of_another_parameter() {
    races(
        "
use std::future::Future;
pub async fn within<F, T>(future: F) -> Result<T, String> where F: Future<Output = Result<T, String>> {
    let cell = Arc::new(Cell(UnsafeCell::new(0)));
    let me = cell.clone();
    thread::spawn(move || unsafe { *me.0.get() = 1 });
    let _read = unsafe { *cell.0.get() };
    future.await
}
",
    );
}

#[test]
fn who_joins_what_it_keeps_from_going_on() {
    let text = "
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub struct Log { lines: Arc<Mutex<Vec<String>>>, writer: Option<JoinHandle<()>> }

impl Log {
    pub fn open() -> Self {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let own = lines.clone();
        let writer = thread::spawn(move || own.lock().unwrap().push(String::from(\"opened\")));
        Log { lines, writer: Some(writer) }
    }

    pub fn count(&self) -> usize { self.lines.lock().unwrap().len() }
}

impl Drop for Log {
    fn drop(&mut self) {
        let mut lines = self.lines.lock().unwrap();
        lines.push(String::from(\"closed\"));
        self.writer.take().map(JoinHandle::join);
    }
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:22:9: error[deadlock]: the caller waits for thread 1 (started at lib.rs:11) to end while holding `Log.lines`; thread 1 waits for `Log.lines`, held by the caller (with src/lib.rs:20:25, src/lib.rs:11:44)
            stderr:
            shop: 1 bug. 2 entries (API items), 50 schedules
                  reached 3 of 3 lock sites, 3 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 1
        "#]],
    );
    let repaired = text.replace(
        "lines.push(String::from(\"closed\"));",
        "lines.push(String::from(\"closed\"));\n        drop(lines);",
    );
    let said = library(&repaired).shown(&[&CHECK[..], &["--possible", "--format", "short", "."]].concat());
    assert!(said.contains("no bug found"), "{said}");
}

#[test]
fn values_of_constants_and_of_dependencies() {
    let levels = "
pub struct Level(u8);
impl Level { pub const LOW: Level = Level(1); }
pub struct Record { text: String }
pub struct Builder { text: String }
impl Record { pub fn text(&self) -> &str { &self.text } }
impl Builder {
    pub fn new() -> Builder { Builder { text: String::new() } }
    pub fn build(&self) -> Record { Record { text: self.text.clone() } }
}
";
    let shop = "
use levels::{Level, Record};
pub struct Log(Arc<Cell>);
impl Log {
    pub fn new() -> Log { Log(Arc::new(Cell(UnsafeCell::new(0)))) }
    pub fn set_level(&self, _: Level) -> u64 { unsafe { *self.0.0.get() } }
    pub fn write(&self, record: &Record) {
        let (me, len) = (self.0.clone(), record.text().len() as u64);
        thread::spawn(move || unsafe { *me.0.get() = len });
    }
}
";
    let manifest = format!("{MANIFEST}[dependencies]\nlevels = {{ path = \"levels\" }}\n");
    let of_levels = MANIFEST.replace("shop", "levels");
    let folder = Folder::new(&[
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", format!("{CELL}{shop}").as_str()),
        ("levels/Cargo.toml", of_levels.as_str()),
        ("levels/src/lib.rs", levels),
    ]);
    short(
        &folder,
        &expect![[r#"
            stdout:
            src/lib.rs:17:40: error[data-race]: thread 1 (started at lib.rs:17) writes `Cell.0` here, which the caller reads, and nothing orders the two (with src/lib.rs:14:57)
            src/lib.rs:17:40: error[data-race]: thread 2 (started at lib.rs:17) writes `Cell.0` here, which thread 1 (started at lib.rs:17) writes, and nothing orders the two
            stderr:
            shop: 2 bugs. 3 entries (API items), 51 schedules
                  no locks, atomics, channels or awaits here; nothing left out
                  calls from two threads: 2 of 3 pairs at once
            status: 1
        "#]],
    );
}
