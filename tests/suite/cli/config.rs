//! The workspace's own configuration: `tsvd.toml` and `metadata.tsvd`.

use crate::support::Folder;
use analyzer::config::KEYS;
use serde_json::Value;
use std::path::Path;
use tsvd_check::{RULES, Strategy};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2024\"\n";

/// A program with a race on a static, and a test.
const COUNT: &str = "\
static mut COUNT: u64 = 0;

fn count() {
    unsafe { COUNT += 1 }
}

fn main() {
    let worker = std::thread::spawn(count);
    count();
    worker.join().unwrap();
}

#[test]
fn nothing() {}
";

fn shop(config: &str) -> Folder {
    Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", COUNT), ("tsvd.toml", config)])
}

/// Both streams and the status of a check with few schedules.
fn checked(folder: &Folder, more: &[&str]) -> (String, String, i32) {
    folder.output(&[&["check", "--format", "short"], more].concat())
}

#[test]
fn levels_of_rules() {
    let folder = shop("runs = 20\n[rules]\ndata-race = \"warning\"\n");
    let (stdout, stderr, status) = checked(&folder, &[]);
    assert!(stdout.starts_with("src/main.rs:4:14: warning[data-race]: ") && status == 0, "{stdout}{stderr}");
    assert!(stderr.contains("shop: 1 bug. 2 entries (1 program, 1 test), 21 schedules"), "{stderr}");
    // Cached reports depend on the file.
    folder.write("tsvd.toml", b"runs = 20\nrules = { data-race = \"off\" }\n");
    let (stdout, stderr, status) = checked(&folder, &[]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.starts_with("turned off by tsvd.toml: `data-race`\nshop: no bug found."), "{stderr}");
    assert!(stderr.contains("1 finding excluded by the configuration"), "{stderr}");
    std::fs::remove_file(folder.path().join("tsvd.toml")).unwrap();
    for _ in 0..2 {
        let (stdout, stderr, status) = checked(&folder, &["--runs", "20"]);
        assert!(stdout.contains("error[data-race]") && status == 1, "{stdout}{stderr}");
    }
    folder.write("tsvd.toml", b"rules = { data-race = \"off\" }\n");
    assert_eq!(checked(&folder, &["--runs", "20"]).2, 0);
    assert_eq!(checked(&folder, &["--runs", "20", "--no-config"]).2, 1);
}

#[test]
fn the_command_line_wins() {
    let folder = shop("runs = 7\nseed = 5\nstrategy = \"sticky\"\nentries = { tests = false, api = false }\n");
    let (_, stderr, _) = checked(&folder, &[]);
    assert!(stderr.starts_with("turned off by tsvd.toml: tests, public functions\n"), "{stderr}");
    assert!(stderr.contains("1 entry (main), 7 schedules"), "{stderr}");
    let (_, stderr, _) = checked(&folder, &["--runs", "9"]);
    assert!(stderr.contains("1 entry (main), 9 schedules"), "{stderr}");
    let (_, stderr, _) = checked(&folder, &["--test", "nothing"]);
    assert!(stderr.contains("1 entry (test)"), "{stderr}");
    // The seed and the strategy of the file are those of the options.
    let locks = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/deadlock/order_two/bug.rs");
    folder.write("src/main.rs", &std::fs::read(locks).unwrap());
    folder.write("tsvd.toml", b"runs = 9\nseed = 5\nstrategy = \"sticky\"\nentries = { api = false }\n");
    let shown_by = |more: &[&str]| {
        let (stdout, ..) = folder.output(&[&["check", "--format", "json"], more].concat());
        let report: Value = serde_json::from_str(&stdout).unwrap();
        report["parts"][0]["packages"][0]["findings"][0]["shown_by"].clone()
    };
    let of_options = ["--no-config", "--no-api", "--runs", "9", "--strategy", "sticky", "--seed"];
    assert_eq!(shown_by(&[]), shown_by(&[&of_options[..], &["5"]].concat()));
    assert_ne!(shown_by(&[]), shown_by(&[&of_options[..], &["7"]].concat()));
    assert_eq!(shown_by(&["--seed", "7"]), shown_by(&[&of_options[..], &["7"]].concat()));
}

#[test]
fn one_configuration_in_a_file_or_a_manifest() {
    let metadata = format!("{MANIFEST}[package.metadata.tsvd]\nrules = {{ data-race = \"off\" }}\n");
    let folder = Folder::new(&[("Cargo.toml", &metadata), ("src/main.rs", COUNT)]);
    let (_, stderr, status) = checked(&folder, &["--runs", "20"]);
    assert!(status == 0 && stderr.starts_with("turned off by Cargo.toml: `data-race`\n"), "{stderr}");
    folder.write("tsvd.toml", b"runs = 20\n");
    let both = "a workspace has one configuration, but here are two: tsvd.toml and [package.metadata.tsvd] in Cargo.toml; \
                remove one";
    assert_eq!(checked(&folder, &[]), (String::new(), format!("error: {both}\n"), 2));
    // That of the workspace counts for its members.
    let folder = Folder::new(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"in/shop\"]\nresolver = \"3\"\n[workspace.metadata.tsvd]\nruns = 3\n"),
        ("in/shop/Cargo.toml", MANIFEST),
        ("in/shop/src/main.rs", COUNT),
    ]);
    let (_, stderr, _) = checked(&folder, &["in/shop"]);
    assert!(stderr.contains("2 entries (1 program, 1 test), 4 schedules"), "{stderr}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = shop("[rules]\ndata-rice = \"off\"\n");
    let wrong = "tsvd.toml:2:1: unknown rule `data-rice`; did you mean `data-race`?";
    assert_eq!(checked(&folder, &[]), (String::new(), format!("error: {wrong}\n"), 2));
    // A type that does not exist may be one of a dependency that is missing.
    folder.write("tsvd.toml", b"known-safe = [\"shop::Stock\"]\n");
    let (_, stderr, status) = checked(&folder, &["--runs", "20"]);
    let unknown = "warning: tsvd.toml:1:15: there is no type `shop::Stock` here\n";
    assert!(status == 1 && stderr.starts_with(unknown), "{stderr}");
    folder.write("src/lib.rs", b"pub struct Ring<T>(T);\nimpl<T> Ring<T> { pub fn push(&self) {} }\n\
        impl<T> Drop for Ring<T> { fn drop(&mut self) {} }\nunsafe extern \"C\" { pub safe fn ring_len(it: *mut u8); }\n");
    let objects = "[[objects]]\ntype = \"shop::Ring\"\nreads = [\"length\"]\nwrites = [\"push\", \"drop\", \"psuh\"]\n\
        [[objects]]\nforeign = true\nreads = [\"ring_len\"]\nwrites = [\"ring_put\"]\n";
    folder.write("tsvd.toml", objects.as_bytes());
    let (_, stderr, _) = checked(&folder, &["--runs", "1"]);
    let unknown: Vec<&str> = stderr.lines().take_while(|it| it.starts_with("warning")).collect();
    assert_eq!(
        unknown,
        [
            "warning: tsvd.toml:2:8: `shop::Ring` has no method `length`",
            "warning: tsvd.toml:2:8: `shop::Ring` has no method `psuh`; did you mean `push`?",
            "warning: tsvd.toml:6:11: there is no foreign function `ring_put`; did you mean `ring_len`?",
        ],
        "{stderr}"
    );
    let invalid = format!("{MANIFEST}[package.metadata.tsvd]\nrun = 3\n");
    let folder = Folder::new(&[("Cargo.toml", &invalid), ("src/main.rs", COUNT)]);
    let wrong = "Cargo.toml:5:1: unknown key `run`; did you mean `runs`?";
    assert_eq!(checked(&folder, &[]), (String::new(), format!("error: {wrong}\n"), 2));
}

#[test]
fn a_finding_is_left_out_if_it_lies_wholly_in_excluded_files() {
    let main = "mod stock;\n\nfn main() {\n    let worker = std::thread::spawn(stock::count);\n    stock::count();\n    \
                worker.join().unwrap();\n}\n";
    let stock = "static mut COUNT: u64 = 0;\n\npub fn count() {\n    unsafe { COUNT += 1 }\n}\n";
    let folder =
        Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", main), ("src/stock.rs", stock), ("tsvd.toml", "")]);
    for (exclude, expected) in [("src/sto*", 0), ("src/main.rs", 1), ("**/stock.rs", 0), ("stock.rs", 1), ("src", 0)] {
        folder.write("tsvd.toml", format!("runs = 20\nexclude = [\"{exclude}\"]\n").as_bytes());
        let (_, stderr, status) = checked(&folder, &[]);
        assert_eq!(status, expected, "{exclude}: {stderr}");
        assert_eq!(stderr.contains("1 finding excluded by the configuration"), expected == 0, "{stderr}");
    }
}

/// A type of which threads call methods unordered, and an object of foreign functions.
const RING: &str = "\
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub struct Ring {
    at: AtomicU64,
}

impl Ring {
    pub fn push(&self) {
        self.at.fetch_add(1, Relaxed);
    }

    pub fn len(&self) -> u64 {
        self.at.load(Relaxed)
    }
}

struct Slot(std::cell::UnsafeCell<u64>);

unsafe impl Sync for Slot {}

impl Slot {
    fn set(&self) {
        unsafe { *self.0.get() = 1 }
    }
}

unsafe extern \"C\" {
    fn put(at: *const u64);
}

static RING: Ring = Ring { at: AtomicU64::new(0) };
static SLOT: Slot = Slot(std::cell::UnsafeCell::new(0));
static QUEUE: u64 = 0;

fn main() {
    let worker = std::thread::spawn(|| {
        RING.push();
        SLOT.set();
        unsafe { put(&QUEUE) };
    });
    RING.len();
    SLOT.set();
    unsafe { put(&QUEUE) };
    worker.join().unwrap();
}
";

#[test]
fn further_objects_and_safe_types() {
    let folder = Folder::new(&[("Cargo.toml", MANIFEST), ("src/main.rs", RING), ("tsvd.toml", "")]);
    let found = |config: &str| {
        folder.write("tsvd.toml", format!("runs = 30\nentries = {{ api = false }}\n{config}").as_bytes());
        let (stdout, stderr, _) = checked(&folder, &[]);
        assert!(!stderr.contains("warning"), "{stderr}");
        let is_there = |text: &&str| stdout.lines().any(|line| line.contains(*text));
        let names = ["data-race]: ", "`Ring::push`", "`Ring::len`", "`main::put`", "`put`"];
        names.into_iter().filter(is_there).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(""), "data-race]: ");
    assert_eq!(found("known-safe = [\"shop::Slot\"]\n"), "");
    let ring =
        "known-safe = [\"shop::Slot\"]\n[[objects]]\ntype = \"shop::Ring\"\nreads = [\"len\"]\nwrites = [\"push\"]\n";
    assert_eq!(found(ring), "`Ring::push` `Ring::len`");
    assert_eq!(found(&ring.replace("[[obj", "[rules]\nthread-safety-violation = \"off\"\n[[obj")), "");
    let foreign = "known-safe = [\"shop::Slot\"]\n[[objects]]\nforeign = true\nwrites = [\"put\"]\n";
    assert_eq!(found(foreign), "`put`");
}

#[test]
#[cfg(unix)]
fn a_special_file_is_no_configuration() {
    let folder = shop("");
    let path = folder.path().join("tsvd.toml");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    assert_eq!(checked(&folder, &[]), (String::new(), "error: tsvd.toml is not a regular file\n".to_owned(), 2));
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "#".repeat(2 << 20)).unwrap();
    assert_eq!(checked(&folder, &[]), (String::new(), "error: tsvd.toml is larger than 1 MiB\n".to_owned(), 2));
    // Control characters do not reach the terminal.
    std::fs::write(&path, "\"\\u001b[2J\" = 1\n").unwrap();
    let (_, stderr, _) = checked(&folder, &[]);
    assert!(!stderr.contains('\u{1b}') && stderr.contains("unknown key `\\u{1b}[2J`"), "{stderr}");
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tsvd.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let names = |table: &Value| -> Vec<String> {
        let properties = table["properties"].as_object();
        properties.into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let sorted = |names: &mut dyn Iterator<Item = String>| {
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    assert_eq!(names(&schema), sorted(&mut KEYS.iter().map(|it| it.0.to_owned())));
    for (key, inner) in KEYS.iter().filter(|it| !it.1.is_empty()) {
        let at = &schema["properties"][key];
        let table = if at["items"].is_null() { at } else { &at["items"] };
        assert_eq!(names(table), sorted(&mut inner.iter().map(|it| (*it).to_owned())), "{key}");
    }
    let rules: Vec<String> = RULES.iter().map(|it| it.name.to_owned()).collect();
    assert_eq!(names(&schema["properties"]["rules"]), rules);
    let strategies: Vec<Value> = Strategy::ALL.iter().map(|it| it.to_string().into()).collect();
    assert_eq!(schema["properties"]["strategy"]["enum"], Value::from(strategies));
    assert_eq!(schema["properties"]["runs"]["maximum"], analyzer::config::MAX_RUNS);
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("tsvd.json", schema).unwrap();
    let index = compiler.compile("tsvd.json", &mut schemas).unwrap();
    let is_valid = |text: &str| {
        let value: Value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        schemas.validate(&value, index).is_ok()
    };
    assert!(is_valid("runs = 3\n[rules]\ndeadlock = \"off\"\n[[objects]]\ntype = \"a::B\"\nwrites = [\"push\"]\n"));
    assert!(!is_valid("rule = 3\n") && !is_valid("runs = 0\n") && !is_valid("[[objects]]\nwrites = []\n"));
}
