//! Harnesses: public functions of libraries, called in sequence on values made by constructors, and functions that
//! start threads, *in the middle*.

mod alone;
mod as_tests;
mod borrowing;
mod callbacks;
mod dropped;
mod futures;
mod in_tests;
mod made;
mod orders;
mod promises;
mod silent;
mod stubs;
mod threads;
mod two_values;
use crate::support::Folder;
use expect_test::{Expect, expect};

const MANIFEST: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

fn library(text: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/lib.rs", text)])
}

fn program(text: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", text)])
}

/// Most tests need few schedules.
const CHECK: [&str; 4] = ["check", "--no-cache", "--effort", "low"];

fn short(folder: &Folder, expected: &Expect) {
    folder.expect(&[&CHECK[..], &["--format", "short", "."]].concat(), expected);
}

/// Checks that nothing is reported, not even a possible finding, and compares the summary. So few schedules prove something
/// only beside a library that is wrong and reported by as many.
fn silent(folder: &Folder, expected: &Expect) {
    folder.expect(&[&CHECK[..], &["--possible", "--format", "short", "."]].concat(), expected);
}

/// The same with the default effort.
fn silent_by_default(folder: &Folder, expected: &Expect) {
    folder.expect(&["check", "--no-cache", "--possible", "--format", "short", "."], expected);
}

const BANK: &str = "
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub struct Bank {
    accounts: Arc<Mutex<Vec<i64>>>,
    log: Arc<Mutex<Vec<String>>>,
    audit: Option<JoinHandle<()>>,
}

impl Bank {
    pub fn new(accounts: usize) -> Bank {
        Bank { accounts: Arc::new(Mutex::new(vec![100; accounts])), log: Arc::default(), audit: None }
    }

    pub fn begin_audit(&mut self) {
        let (accounts, log) = (self.accounts.clone(), self.log.clone());
        self.audit = Some(thread::spawn(move || {
            let mut log = log.lock().unwrap();
            let accounts = accounts.lock().unwrap();
            log.push(format!(\"{} accounts\", accounts.len()));
        }));
    }

    pub fn transfer(&self, amount: i64, note: &str) {
        let mut accounts = self.accounts.lock().unwrap();
        self.log.lock().unwrap().push(note.to_owned());
        if let Some(first) = accounts.first_mut() {
            *first -= amount;
        }
    }
}
";

#[test]
fn a_librarys_methods_are_called_in_sequence() {
    let folder = library(BANK);
    folder.expect(
        &["check", "--no-cache", "."],
        &expect![[r#"
            stdout:
            error[deadlock]: the caller and thread 1 (started at lib.rs:18) each hold a lock the other waits for
              --> src/lib.rs:20:28
               |
            19 |             let mut log = log.lock().unwrap();
               |                           ---------- thread 1 took `Bank.log` here, holds it until line 22
            20 |             let accounts = accounts.lock().unwrap();
               |                            ^^^^^^^^^^^^^^^ thread 1 waits here for `Bank.accounts`, held by the caller
            ...
            26 |         let mut accounts = self.accounts.lock().unwrap();
               |                            -------------------- the caller took `Bank.accounts` here, holds it until line 31
            27 |         self.log.lock().unwrap().push(note.to_owned());
               |         --------------- the caller waits here for `Bank.log`, held by thread 1
               |
               = how it happens:
                   the caller                            thread 1
                 1 lib.rs:18  starts thread 1
                 2                                       lib.rs:19  takes Bank.log
                 3 lib.rs:26  takes Bank.accounts
                 4 lib.rs:27  waits for Bank.log
                 5                                       lib.rs:20  waits for Bank.accounts  -- neither can go on
               = the caller: Bank::transfer (lib.rs:27)
               = thread 1:   started at lib.rs:18 > closure (lib.rs:20)
               = order: `Bank::begin_audit` takes log, then accounts; `Bank::transfer` takes accounts, then log
               = called: `Bank::new`, `Bank::begin_audit`, then `Bank::transfer`
               = given: `accounts` of `new` = 1, `amount` of `transfer` = 0, `note` of `transfer` = "4"
               = some-input: it depends on a value from outside the program. 43 of 100 schedules hang here
               = replay: tsvd-check replay 47c2bf    explain: tsvd-check explain deadlock
                 as a test: tsvd-check replay 47c2bf --as miri
                 allow:  // tsvd: allow(deadlock, reason = "...")

            stderr:
            shop: 1 bug. 2 entries (API items), 200 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 1
        "#]],
    );
}

#[test]
fn the_repaired_library_is_silent() {
    let repaired = BANK.replace(
        "            let mut log = log.lock().unwrap();
            let accounts = accounts.lock().unwrap();
            log.push(format!(\"{} accounts\", accounts.len()));",
        "            let count = accounts.lock().unwrap().len();
            log.lock().unwrap().push(format!(\"{count} accounts\"));",
    );
    silent(
        &library(&repaired),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 457 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
                  calls from two threads: 1 of 1 pair at once
            status: 0
        "#]],
    );
}

#[test]
fn a_finding_of_a_harness_replays() {
    let folder = library(BANK);
    let said = folder.shown(&["check", "--no-cache", "."]);
    let id = said.split("tsvd-check replay ").nth(1).and_then(|rest| rest.get(..6)).unwrap().to_owned();
    let again = folder.shown(&["replay", &id]);
    assert!(again.contains(&format!("replayed {id} from its schedule")), "{again}");
    let elsewhere = folder.shown(&["replay", &id, "--bin", "nothing"]);
    assert!(elsewhere.contains("there is no program `nothing`"), "{elsewhere}");
}

#[test]
fn unsound_promises_race() {
    let counter = |cell: &str, add: &str| {
        library(&format!(
            "
use std::sync::Arc;
use std::thread;
{cell}
pub struct Counter(Arc<Cell>);

impl Counter {{
    pub fn new() -> Counter {{ Counter(Arc::new(Cell::new())) }}
    pub fn add_later(&self) {{
        let cell = self.0.clone();
        thread::spawn(move || {add});
    }}
    pub fn add(&self) {{
        let cell = &self.0;
        {add};
    }}
}}
"
        ))
    };
    let unsound = "
        struct Cell(std::cell::UnsafeCell<u32>);
        unsafe impl Sync for Cell {}
        unsafe impl Send for Cell {}
        impl Cell { fn new() -> Cell { Cell(0.into()) } }";
    short(
        &counter(unsound, "unsafe { *cell.0.get() += 1 }"),
        &expect![[r#"
            stdout:
            src/lib.rs:15:40: error[data-race]: thread 1 (started at lib.rs:15) updates `Cell.0` here, which the caller updates, and nothing orders the two (with src/lib.rs:19:18)
            src/lib.rs:15:40: error[data-race]: thread 2 (started at lib.rs:15) updates `Cell.0` here, which thread 1 (started at lib.rs:15) updates, and nothing orders the two
            src/lib.rs:19:18: error[data-race]: thread 1 updates `Cell.0` here, which the caller updates, and nothing orders the two
            stderr:
            shop: 3 bugs. 3 entries (API items), 51 schedules
                  no locks, atomics, channels or awaits here; nothing left out
                  calls from two threads: 2 of 3 pairs at once
            status: 1
        "#]],
    );
    let sound = "
        struct Cell(std::sync::atomic::AtomicU32);
        impl Cell { fn new() -> Cell { Cell(0.into()) } }";
    silent(
        &counter(sound, "cell.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed)"),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 518 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}

#[test]
fn a_program_is_started_in_the_middle() {
    let main = "
use std::sync::Mutex;
use std::thread;

mod state {
    use std::sync::Mutex;
    pub struct Shared { pub hits: Mutex<u32>, pub names: Mutex<Vec<String>> }
    impl Shared {
        pub fn new(name: &str) -> Shared {
            Shared { hits: Mutex::new(0), names: Mutex::new(vec![name.to_owned()]) }
        }
    }
}
use state::Shared;

fn count(shared: &Shared) {
    let mut hits = shared.hits.lock().unwrap();
    *hits += shared.names.lock().unwrap().len() as u32;
}

fn both(shared: &Shared) {
    thread::scope(|scope| {
        scope.spawn(|| count(shared));
        scope.spawn(|| {
            let names = shared.names.lock().unwrap();
            println!(\"{} {}\", names.len(), shared.hits.lock().unwrap());
        });
    });
}

fn main() {
    if std::env::args().len() > 40 {
        both(&Shared::new(\"x\"));
    }
    if std::env::var_os(\"NEVER_SET\").is_some_and(|it| it.len() > 1000) {
        let start: fn(&Shared) = both;
        start(&Shared::new(\"y\"), 2);
    }
}
";
    short(
        &program(main),
        &expect![[r#"
            stdout:
            src/main.rs:18:14: error[deadlock]: thread 1 (started at main.rs:23) waits for `Shared.names` while holding `Shared.hits`; thread 2 (started at main.rs:24) waits for `Shared.hits` while holding `Shared.names` (with src/main.rs:26:44, src/main.rs:25:25, src/main.rs:17:20)
            stderr:
            shop: 1 bug. 3 entries (1 program, 2 in the middle), 429 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  uninterpreted: a value from outside the program (src/main.rs:32:8 and 1 more location)
            status: 1
        "#]],
    );
    let by_pointer = main.replace("        both(&Shared::new(\"x\"));\n", "");
    short(
        &program(&by_pointer),
        &expect![[r#"
            stdout:
            src/main.rs:18:14: error[deadlock]: thread 1 (started at main.rs:23) waits for `Shared.names` while holding `Shared.hits`; thread 2 (started at main.rs:24) waits for `Shared.hits` while holding `Shared.names` (with src/main.rs:26:44, src/main.rs:25:25, src/main.rs:17:20)
            stderr:
            shop: 1 bug. 3 entries (1 program, 2 in the middle), 429 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  uninterpreted: a value from outside the program (src/main.rs:32:8 and 1 more location)
            status: 1
        "#]],
    );
    let repaired = by_pointer.replace(
        "    let mut hits = shared.hits.lock().unwrap();
    *hits += shared.names.lock().unwrap().len() as u32;",
        "    let count = shared.names.lock().unwrap().len() as u32;
    *shared.hits.lock().unwrap() += count;",
    );
    silent(
        &program(&repaired),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 3 entries (1 program, 2 in the middle), 477 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  uninterpreted: a value from outside the program (src/main.rs:32:8 and 1 more location)
            status: 0
        "#]],
    );
}

#[test]
fn a_lost_wake_up_within_a_call_is_one() {
    let text = "
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// Runs a job elsewhere and waits for it.
pub fn run<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> T {
    let shared = Arc::new((Mutex::new(None), Condvar::new()));
    let other = shared.clone();
    thread::spawn(move || {
        *other.0.lock().unwrap() = Some(job());
        other.1.notify_one();
    });
    let is_done = shared.0.lock().unwrap().is_some();
    if !is_done {
        let _unused = shared.1.wait(shared.0.lock().unwrap()).unwrap();
    }
    shared.0.lock().unwrap().take().unwrap()
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:15:23: error[deadlock]: the caller waits for a notification of `shared.1`
            stderr:
            shop: 1 bug. 1 entry (API item), 25 schedules
                  reached 4 of 4 lock sites, 4 concurrently; nothing left out
            status: 1
        "#]],
    );
    let repaired = text.replace(
        "    let is_done = shared.0.lock().unwrap().is_some();
    if !is_done {
        let _unused = shared.1.wait(shared.0.lock().unwrap()).unwrap();
    }
    shared.0.lock().unwrap().take().unwrap()",
        "    let mut done = shared.1.wait_while(shared.0.lock().unwrap(), |it| it.is_none()).unwrap();
    done.take().unwrap()",
    );
    silent(
        &library(&repaired),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 1 entry (API item), 77 schedules
                  reached 2 of 2 lock sites, 2 concurrently; nothing left out
            status: 0
        "#]],
    );
}

/// Bounds are satisfied: callbacks, futures, iterators, the library's own traits, types that the library makes.
#[test]
fn values_of_many_types_are_made() {
    let folder = library(
        "
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

static CALLS: AtomicU32 = AtomicU32::new(0);
fn note() { CALLS.fetch_add(1, SeqCst); }

pub trait Store { fn put(&mut self, key: &str); }
pub struct Memory { keys: Vec<String> }
impl Store for Memory { fn put(&mut self, key: &str) { self.keys.push(key.to_owned()); } }
impl Memory { pub fn open(path: &Path) -> Result<Memory, std::io::Error> { Ok(Memory { keys: vec![path.display().to_string()] }) } }

pub enum Mode { Fast(u8), Slow { pause: Duration, name: String }, Never(std::convert::Infallible) }
pub struct Settings { pub mode: Mode, pub sizes: [u16; 3], pub retry: Option<bool> }
pub struct Shared(Mutex<u32>);
impl Shared {
    pub fn new() -> Arc<Shared> { Arc::new(Shared(Mutex::new(1))) }
    pub fn by_arc(self: Arc<Self>) { CALLS.fetch_add(*self.0.lock().unwrap(), SeqCst); }
    pub fn borrowed(&self) { CALLS.fetch_add(*self.0.lock().unwrap(), SeqCst); }
}

pub fn callback(f: impl Fn(&str, u32) -> String) { f(\"a\", 1); CALLS.fetch_add(1, SeqCst); }
pub fn mapped<T, U>(value: T, f: impl FnOnce(T) -> U) -> U { CALLS.fetch_add(1, SeqCst); f(value) }
pub fn boxed(f: Box<dyn Fn(u8) -> u8 + Send>, pointer: fn(u32)) { pointer(f(1).into()); CALLS.fetch_add(1, SeqCst); }
pub async fn waits(other: impl Future<Output = u8>) -> u8 { CALLS.fetch_add(1, SeqCst); other.await }
pub fn stored(store: &mut dyn Store, all: Vec<Box<dyn Store>>) { store.put(\"x\"); CALLS.fetch_add(all.len() as u32, SeqCst); }
pub fn generic<S: Store + 'static>(mut store: S, keys: impl IntoIterator<Item = String>) {
    for key in keys { store.put(&key); CALLS.fetch_add(1, SeqCst); }
}
pub fn settings(it: Settings) { if let Mode::Fast(_) | Mode::Slow { .. } = it.mode { CALLS.fetch_add(1, SeqCst); } }
pub fn maps(map: &HashMap<String, Vec<u8>>, sorted: BTreeMap<u8, char>, slice: &mut [i64]) {
    CALLS.fetch_add((map.len() + sorted.len() + slice.len()) as u32, SeqCst);
}
pub fn received(receiver: mpsc::Receiver<f32>, sender: mpsc::Sender<u8>) {
    for _ in receiver { CALLS.fetch_add(1, SeqCst); }
    sender.send(1).unwrap();
    CALLS.fetch_add(1, SeqCst);
}
pub fn raw(_: *const u8) { CALLS.fetch_add(1, SeqCst); }
pub unsafe fn never_called() { CALLS.fetch_add(1, SeqCst); }
#[doc(hidden)]
pub fn hidden() { CALLS.fetch_add(1, SeqCst); }
pub fn all() { note() }
",
    );
    short(
        &folder,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 20 entries (API items), 1616 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 13 of 16 atomic sites, 13 concurrently; 2 of 2 channel sites, 2 concurrently; 1 of 1 await site, 1 concurrently
                  3 entries got one short schedule: they start no thread, and nothing in them synchronises
                  calls from two threads: 58 of 58 pairs at once
                  not called: 1 item, such as `raw`: no value of `*const u8` can be made
            status: 0
        "#]],
    );
}

#[test]
fn what_is_not_wanted_is_left_out() {
    let folder = library(BANK);
    folder.expect(
        &["check", "--no-cache", "--no-api", "--format", "short", "."],
        &expect![[r#"
        stdout:
        stderr:
        nothing was analysed: found no `main` and no test
        status: 0
    "#]],
    );
    let folder = program("fn main() {}\n#[allow(dead_code)]\nfn later() { std::thread::spawn(|| {}); }\n");
    short(
        &folder,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (1 program, 1 in the middle), 99 schedules
                  no locks, atomics, channels or awaits here; nothing left out
            status: 0
        "#]],
    );
    folder.expect(
        &["check", "--no-cache", "--bin", "shop", "--format", "short", "."],
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 1 entry (main), 1 schedule
              reached 0 of 1 spawn site, 0 concurrently; nothing left out
        status: 0
    "#]],
    );
}

/// A file without `main` is a library.
#[test]
fn a_file_alone() {
    let folder = Folder::new(&[("bank.rs", BANK)]);
    folder.expect(&["check", "--no-cache", "--format", "short", "bank.rs"], &expect![[r#"
        stdout:
        bank.rs:20:28: error[deadlock]: thread 1 (started at bank.rs:18) waits for `Bank.accounts` while holding `Bank.log`; the caller waits for `Bank.log` while holding `Bank.accounts` (with bank.rs:27:9, bank.rs:26:28, bank.rs:19:27)
        stderr:
        bank: 1 bug. 2 entries (API items), 200 schedules
              reached 4 of 4 lock sites, 4 concurrently; nothing left out
              calls from two threads: 1 of 1 pair at once
        status: 1
    "#]]);
}

/// The method that reads comes before the one that starts the writer.
#[test]
fn methods_have_a_second_round() {
    let text = "
use std::sync::Arc;
use std::thread;

struct Cell(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Cell {}
unsafe impl Send for Cell {}
pub struct Gauge(Arc<Cell>);

impl Gauge {
    pub fn new() -> Gauge { Gauge(Arc::new(Cell(0.into()))) }
    pub fn read(&self) -> u32 { unsafe { *self.0.0.get() } }
    pub fn start(&self) {
        let cell = self.0.clone();
        thread::spawn(move || unsafe { *cell.0.get() = 7 });
    }
}
";
    short(
        &library(text),
        &expect![[r#"
            stdout:
            src/lib.rs:15:40: error[data-race]: thread 3 (started at lib.rs:15) writes `Cell.0` here, which the caller reads, and nothing orders the two (with src/lib.rs:12:42)
            src/lib.rs:15:40: error[data-race]: thread 4 (started at lib.rs:15) writes `Cell.0` here, which thread 3 (started at lib.rs:15) writes, and nothing orders the two
            stderr:
            shop: 2 bugs. 3 entries (API items), 51 schedules
                  no locks, atomics, channels or awaits here; nothing left out
                  calls from two threads: 2 of 3 pairs at once
            status: 1
        "#]],
    );
}

/// Each call costs time, whatever it does.
#[test]
fn of_very_many_functions_some_are_not_called() {
    let functions: String = (0..2_003).map(|n| format!("pub fn f{n}() -> u32 {{ {n} }}\n")).collect();
    let (_, stderr, status) = Folder::new(&[("many.rs", &functions)]).output(&["check", "--runs", "1", "many.rs"]);
    assert!(stderr.contains("many: 3 public types and functions are not called: there are too many"), "{stderr}");
    assert!(stderr.contains("2000 entries") && status == 0, "{status}: {stderr}");
}

/// All share a number of steps, also the one that shows something.
#[test]
fn of_very_many_tests_each_gets_few_schedules() {
    let mut tests: String =
        (0..300).map(|n| format!("#[test]\nfn t{n}() {{ std::thread::spawn(|| (0..2_000).fold({n}, |sum, it| sum ^ it)).join().unwrap(); }}\n")).collect();
    tests += "static mut N: u32 = 0;\n#[test]\nfn races() {\n    let t = std::thread::spawn(|| unsafe { N += 1 });\n    unsafe { N += 1 }\n    t.join().unwrap();\n}\n";
    let (stdout, stderr, status) =
        Folder::new(&[("many.rs", &tests)]).output(&["check", "--format", "short", "--effort", "low", "many.rs"]);
    let schedules = stderr.split("301 entries (tests), ").nth(1).and_then(|it| it.split(' ').next()).unwrap();
    assert!((600..6_000).contains(&schedules.parse::<u32>().unwrap()), "{stderr}");
    assert!(stderr.contains("300 entries got fewer schedules"), "{stderr}");
    assert!(stdout.contains("data-race") && status == 1, "{status}: {stdout}");
}
