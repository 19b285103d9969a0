//! `tsvd-check reach`: every synchronisation site, and how far runs came; where effort goes.

use super::formats::violations_of;
use crate::support::Folder;
use serde_json::Value;

const DEMO: &str = r#"use std::sync::{Mutex, atomic::{AtomicU32, Ordering}};
use std::thread;
static TAKEN: Mutex<u32> = Mutex::new(0);
static ALONE: Mutex<u32> = Mutex::new(0);
static COUNT: AtomicU32 = AtomicU32::new(0);

fn main() {
    *ALONE.lock().unwrap() += 1;
    let other = thread::spawn(|| *TAKEN.lock().unwrap() += 1);
    *TAKEN.lock().unwrap() += 1;
    other.join().unwrap();
    if std::hint::black_box(false) {
        COUNT.fetch_add(1, Ordering::Relaxed);
        later();
    }
}

fn later() {
    COUNT.store(1, Ordering::Relaxed);
}

fn orphan() {
    helper();
}

fn helper() {
    COUNT.swap(2, Ordering::Relaxed);
}

#[cfg(feature = "tls")]
fn secure() {
    *TAKEN.lock().unwrap() += 1;
}
"#;

fn reach(folder: &Folder, args: &[&str]) -> String {
    let (stdout, stderr, status) = folder.output(&[&["reach"], args].concat());
    assert_eq!(status, 0, "{stdout}{stderr}");
    stdout
}

#[test]
fn each_site_is_told_with_the_reason_why_it_was_not_reached() {
    let folder = Folder::new(&[("demo.rs", DEMO)]);
    let text = reach(&folder, &["demo.rs"]);
    let has = |line: &str| assert!(text.lines().any(|it| it.trim_start() == line), "{line}\n{text}");
    has("8:12  lock     reached, never concurrently, by program `demo`");
    has("10:12  lock     concurrently, by program `demo`");
    has("1  [1] program `demo`: runs enter `main`, but do not reach this point");
    has("1  [2] program `demo`: runs reach `main`, but not `later`, which it may call");
    has("1  [3] no entry reaches it; a test that calls `orphan` would");
    has("13:15  atomic   not reached [1]");
    has("27:11  atomic   not reached [3]");
    has("1 never reached concurrently: races and deadlocks there cannot be found");
    has("demo.rs:30:1: inactive code, it needs `cfg(feature = \"tls\")`");
    assert!(
        text.starts_with("demo: reached 4 of 7 (57 %) synchronisation sites, 3 of 7 (42 %) concurrently\n"),
        "{text}"
    );
}

/// Only deadlocks are reported behind one, so what runs reach there does not count.
#[test]
fn what_is_behind_a_deadlock_was_not_reached() {
    let demo = "use std::sync::Mutex;\nstatic M: Mutex<u32> = Mutex::new(0);\nstatic N: Mutex<u32> = Mutex::new(0);\n\
        fn twice() {\n    let _first = M.lock();\n    let _second = M.lock();\n}\n\
        fn main() {\n    twice();\n    drop(N.lock());\n}\n";
    let folder = Folder::new(&[("demo.rs", demo)]);
    let text = reach(&folder, &["demo.rs"]);
    let has = |line: &str| assert!(text.lines().any(|it| it.trim_start() == line), "{line}\n{text}");
    has("6:21  lock     reached, never concurrently, by program `demo`");
    has("10:12  lock     not reached [1]");
    let reason = "program `demo`: reached only behind a deadlock or a panic; only deadlocks are reported there";
    assert!(text.contains(reason), "{text}");
    let json = reach(&folder, &["demo.rs", "--format", "json"]);
    assert_eq!(violations_of("docs/reach.schema.json", &json), None, "{json}");
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["packages"][0]["sites"][2]["why_not"]["kind"], "behind", "{json}");
}

#[test]
fn sites_as_json_and_as_a_tracefile() {
    let folder = Folder::new(&[("demo.rs", DEMO)]);
    let json = reach(&folder, &["demo.rs", "--format", "json"]);
    assert_eq!(violations_of("docs/reach.schema.json", &json), None, "{json}");
    let report: Value = serde_json::from_str(&json).unwrap();
    let sites = report["packages"][0]["sites"].as_array().unwrap();
    let lines: Vec<u64> = sites.iter().map(|it| it["location"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [8, 9, 9, 10, 13, 19, 27]);
    let kinds: Vec<&str> = sites.iter().filter_map(|it| it["why_not"]["kind"].as_str()).collect();
    assert_eq!(kinds, ["not-in-function", "not-entered", "not-called"]);
    let lcov = reach(&folder, &["demo.rs", "--format", "lcov"]);
    assert!(lcov.starts_with("TN:tsvd_check\nSF:demo.rs\n"), "{lcov}");
    for line in ["DA:8,1", "BRDA:8,0,0,1", "BRDA:8,0,1,0", "BRDA:10,0,1,1", "DA:27,0", "BRDA:27,0,0,-", "LF:6", "LH:3"]
    {
        assert!(lcov.lines().any(|it| it == line), "{line}\n{lcov}");
    }
    assert!(lcov.ends_with("end_of_record\n"), "{lcov}");
}

#[test]
fn what_check_has_kept_is_not_explored_again() {
    let folder = Folder::new(&[("demo.rs", DEMO)]);
    let kept = || std::fs::read_dir(folder.path().join(".cache/tsvd-check/results")).unwrap().count();
    let (_, checked, _) = folder.output(&["check", "demo.rs"]);
    assert_eq!(kept(), 1);
    let (text, stderr, _) = folder.output(&["reach", "demo.rs"]);
    assert_eq!((kept(), stderr), (1, checked));
    assert_eq!(text, reach(&folder, &["demo.rs", "--no-cache"]));
    let (_, stderr, status) = folder.output(&["reach", "gone.rs"]);
    assert!(status == 2 && stderr.contains("gone.rs"), "{stderr}");
}

/// Of ten tests two have something to do with threads.
#[test]
fn effort_goes_where_it_can_find_something() {
    let mut source = "use std::{sync::Mutex, thread};\nstatic M: Mutex<u32> = Mutex::new(0);\nfn add() { *M.lock().unwrap() += 1 }\n\
        #[test]\nfn locks() { add() }\n#[test]\nfn starts() { let other = thread::spawn(add); add(); other.join().unwrap(); }\n"
        .to_owned();
    for at in 0..8 {
        source.push_str(&format!("#[test]\nfn idle_{at}() {{ assert!(std::env::args().count() != {}) }}\n", 900 + at));
    }
    let folder = Folder::new(&[("tests.rs", &source)]);
    let schedules = |args: &[&str]| {
        let (stdout, stderr, _) = folder.output(&[&["check", "tests.rs", "--format", "json"], args].concat());
        let report: Value = serde_json::from_str(&stdout).unwrap();
        let summary = report["parts"][0]["packages"][0]["summary"].clone();
        (summary["schedules"].as_u64().unwrap(), summary["idle"].as_u64().unwrap(), stderr)
    };
    let (normal, idle, stderr) = schedules(&[]);
    assert_eq!(idle, 8, "{stderr}");
    let told = "8 entries got one short schedule: they start no thread, and nothing in them synchronises";
    assert!(stderr.contains(told), "{stderr}");
    let (low, ..) = schedules(&["--effort", "low"]);
    let (high, ..) = schedules(&["--effort", "high"]);
    assert!(low < normal && normal < high, "{low} {normal} {high}");
    // What is asked for is made, of each entry for which it makes a difference.
    let (asked, idle, stderr) = schedules(&["--runs", "700"]);
    assert!(
        stderr.contains("1 entry got fewer than 700 schedules: no thread starts, so all schedules are the same"),
        "{stderr}"
    );
    assert!(idle == 0 && (700..=700 * 9 + 1).contains(&asked), "{asked}");
    let (_, stderr, status) = folder.output(&["check", "tests.rs", "--effort", "extreme"]);
    assert!(
        status == 2 && stderr.contains("unknown effort `extreme`; the levels are low, normal, high, highest"),
        "{stderr}"
    );
}

/// As many as asked, although all of them take more steps than an entry gets by default.
#[test]
fn as_many_schedules_as_asked_are_run() {
    let source = "use std::{sync::Mutex, thread};\nstatic M: Mutex<u64> = Mutex::new(0);\nfn add() { for it in 0..2_000 { if it % 500 == 0 { *M.lock().unwrap() += it } } }\nfn main() { let other = thread::spawn(add); add(); other.join().unwrap() }\n";
    let folder = Folder::new(&[("long.rs", source)]);
    let (_, stderr, _) = folder.output(&["check", "long.rs", "--runs", "800"]);
    assert!(stderr.contains(" 800 schedules\n"), "{stderr}");
}

#[test]
fn pairs_of_calls_of_each_type() {
    let library = "
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Default)]
pub struct Counter(AtomicU32);

impl Counter {
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    pub fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}
";
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let folder = Folder::new(&[("Cargo.toml", manifest), ("src/lib.rs", library)]);
    let text = reach(&folder, &[]);
    let pairs = "\npairs of calls at once, from two threads:\n  3 of 3  `shop::Counter, from two threads`\n";
    assert!(text.contains(pairs), "{text}");
    let json = reach(&folder, &["--format", "json"]);
    assert_eq!(violations_of("docs/reach.schema.json", &json), None, "{json}");
    let report: Value = serde_json::from_str(&json).unwrap();
    let pairs = &report["packages"][0]["pairs"][0];
    assert_eq!((&pairs["entry"]["name"], &pairs["all"]), (&"shop::Counter, from two threads".into(), &3.into()));
}
