//! Sources that ask for unbounded work: only the item that asks is left out, and it is reported. `cargo bench --bench
//! bombs` measures these and others.

mod sources;
use crate::support::Folder;

const EXPANSION: &str = "macro expansion is over its budget: main.rs:";
const LEFT_OUT: &str = "` in crate `main` is skipped: macro expansion is over its budget";
const TYPE: &str = "a type is too large when written out: main.rs:";

/// Those that are stopped, with the message.
const STOPPED: [(&str, &str); 14] = [
    ("macro_nested_4_12", EXPANSION),
    ("macro_nested_items_4_12", LEFT_OUT),
    ("macro_modules_2_20", LEFT_OUT),
    ("macro_functions_2_20", LEFT_OUT),
    ("macro_impl_items_2_20", LEFT_OUT),
    ("macro_types_2_20", EXPANSION),
    ("macro_patterns_2_20", EXPANSION),
    ("macro_statements_2_20", EXPANSION),
    ("closures_captured", TYPE),
    ("tuples_inferred", TYPE),
    ("tuples_cloned", TYPE),
    ("tuple_alias", TYPE),
    ("associated_types", TYPE),
    ("associated_types_used", TYPE),
];

/// Those that were exponential, or are reported differently.
const OTHERS: [&str; 12] = [
    "macro_tokens_2_24",
    "macro_endless",
    "instances_doubling",
    "instances_growing",
    "impls_endless",
    "bounds_doubling",
    "const_loop",
    "const_memory",
    "structs_doubling_empty",
    "derives_doubling",
    "enums_doubling",
    "generic_structs_doubling",
];

fn checked(name: &str) -> (String, i32) {
    let bombs = sources::small();
    let bomb = bombs.iter().find(|it| it.name == name).expect("there is one of this name");
    let files: Vec<_> = bomb.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (_, stderr, status) = Folder::new(&files).output(&["check", "--no-cache", "--runs", "2", bomb.path]);
    (stderr, status)
}

#[test]
fn what_is_over_its_budget_is_named() {
    for (name, text) in STOPPED {
        let (stderr, status) = checked(name);
        assert!(stderr.contains(text) && status == 0, "{name}: {status}: {stderr}");
        // rust-analyzer panics on a type that it does not normalise: a caught panic, which is reported.
        let is_known = name == "associated_types_used";
        assert!(is_known || !stderr.contains("internal error"), "{name}: {stderr}");
    }
}

#[test]
fn others_end_too() {
    for name in OTHERS {
        let (stderr, status) = checked(name);
        assert!(status == 0 && !stderr.contains("internal error"), "{name}: {status}: {stderr}");
    }
}

const RACE: &str = "static mut A: u32 = 0;
fn add() { unsafe { A += 1 } }
fn race() { std::thread::scope(|s| { s.spawn(add); add(); }) }
";

/// Nothing else is lost, and a repetition prints the same.
#[test]
fn a_stop_costs_one_item() {
    let bombs = sources::small();
    let text = |name: &str| bombs.iter().find(|it| it.name == name).map_or("", |it| it.files[0].1.as_str());
    let body = text("macro_nested_4_12").replace("fn main()", "pub fn bomb()");
    let items = text("macro_functions_2_20").replace("fn main() {}", "");
    let main = format!("{RACE}fn main() {{ race() }}\n");
    let folder = Folder::new(&[("body.rs", &format!("{body}{main}")), ("items.rs", &format!("{items}{main}"))]);
    for name in ["body.rs", "items.rs"] {
        let first = folder.output(&["check", "--no-cache", "--runs", "3", name]);
        assert!(first.0.contains("data-race") && first.2 == 1, "{name}: {first:?}");
        assert!(first.1.contains("macro expansion is over its budget"), "{name}: {first:?}");
        assert_eq!(folder.output(&["check", "--no-cache", "--runs", "3", name]), first, "{name}");
    }
}

/// One step of macro expansion that no budget ends: the program restarts without the body and continues.
#[test]
fn a_body_that_does_not_end_is_left_out() {
    let bomb = sources::macro_copies().replace("fn main()", "pub fn bomb()");
    let main = format!("{RACE}fn main() {{ race(); bomb() }}\n");
    let folder = Folder::new(&[
        ("first.rs", &format!("{RACE}fn main() {{ race() }}\n")),
        ("second.rs", &format!("{bomb}{main}")),
    ]);
    for _ in 0..2 {
        let (stdout, stderr, status) = folder.output(&["check", "--runs", "8", "first.rs", "second.rs"]);
        let count = |text: &str| stdout.matches(text).count() + stderr.matches(text).count();
        assert_eq!((count("--> first.rs"), count("--> second.rs"), status), (1, 1, 1), "{stdout}{stderr}");
        // The second time it is not a cached report.
        assert_eq!(count("type checking takes too long: second.rs:2:1"), 1, "{stderr}");
    }
    let (_, stderr, status) = folder.output(&["run", "second.rs"]);
    assert!(stderr.contains("type checking of an item takes too long") && status == 2, "{status}: {stderr}");
}

/// Each element of `list![..]` is matched against all tokens behind it. The body's sites are counted last, and its macros
/// must not be expanded for that.
#[test]
fn a_macro_call_that_does_not_end_is_left_out() {
    let elements = "1,\n".repeat(100_000);
    let list = "macro_rules! list { ($($x:expr),+ $(,)?) => { Vec::from([$($x),+]) }; }\n";
    let source =
        format!("{list}{RACE}fn bomb() -> Vec<u8> {{\n    list![{elements}]\n}}\nfn main() {{ race(); bomb(); }}\n");
    let folder = Folder::new(&[("main.rs", &source)]);
    let (stdout, stderr, status) = folder.output(&["check", "--runs", "3", "main.rs"]);
    assert_eq!((stdout.matches("--> main.rs").count(), status), (1, 1), "{stdout}{stderr}");
    assert!(stderr.contains("type checking takes too long: main.rs:"), "{stderr}");
}

/// The process that replaces the one of `cargo tsvd` does not run cargo again.
#[cfg(unix)]
#[test]
fn cargo_runs_once_if_a_body_does_not_end() {
    use std::os::unix::fs::PermissionsExt as _;

    let bomb = sources::macro_copies().replace("fn main()", "pub fn bomb()");
    let script = "#!/bin/sh\n[ \"$1\" = check ] || exec cargo \"$@\"\necho '{\"reason\":\"x\"}'\necho '{\"reason\":\"build-finished\"}'\nexit 7\n";
    let folder = Folder::new(&[
        ("Cargo.toml", "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\n"),
        ("src/main.rs", &format!("{bomb}{RACE}fn main() {{ race(); bomb() }}\n")),
        ("fake-cargo", script),
    ]);
    let fake = folder.path().join("fake-cargo");
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = folder.command(".", &["cargo-tsvd", "--message-format=json", "--", "--runs=3"]);
    command.env("CARGO", fake);
    let (stdout, stderr, status) = crate::support::run(command);
    assert!(stderr.contains("type checking takes too long: src/main.rs:"), "{stderr}");
    let reasons: Vec<&str> =
        stdout.lines().map(|it| if it.contains("tsvd::data_race") { "race" } else { it }).collect();
    assert_eq!(reasons, [r#"{"reason":"x"}"#, "race", r#"{"reason":"build-finished"}"#]);
    assert_eq!(status, 7);
}

/// More tests than are run, and more functions that start threads, are named.
#[test]
fn too_many_entries_are_named() {
    let many = |count: usize, text: &str| (0..count).map(|n| text.replace('#', &n.to_string())).collect::<String>();
    let tests = many(4_001, "%[test]\nfn t#() {}\n").replace('%', "#");
    let starters = many(2_001, "fn f#() { std::thread::spawn(|| ()); }\n") + "fn main() {}\n";
    let folder = Folder::new(&[("tests.rs", &tests), ("starters.rs", &starters)]);
    let stderr = folder.output(&["check", "--no-cache", "--runs", "1", "tests.rs"]).1;
    assert!(stderr.contains("tests: 1 tests are not run") && stderr.contains("4000 entries"), "{stderr}");
    let stderr = folder.output(&["check", "--no-cache", "--runs", "1", "starters.rs"]).1;
    assert!(stderr.contains("1 functions that start threads are not started"), "{stderr}");
}

/// Bodies that nothing runs are not type checked for what they synchronise by; those with a name of it are, also another name.
#[test]
fn imports_under_another_name_count() {
    let main = "use std::thread::spawn as go;
fn unused() { go(|| ()); }
fn inner() { use std::sync::atomic::fence as wall; fn f() { wall(std::sync::atomic::Ordering::SeqCst) } f() }
fn received(all: std::sync::mpsc::Receiver<u32>) { for _ in all {} }
fn main() {}
";
    let folder = Folder::new(&[("main.rs", main)]);
    let stderr = folder.output(&["check", "--no-cache", "--no-api", "main.rs"]).1;
    for site in ["0 of 1 atomic site", "0 of 1 spawn site", "0 of 1 channel site"] {
        assert!(stderr.contains(site), "{site}: {stderr}");
    }
}

/// What is missing for lack of memory does not follow from the source: nothing is kept.
#[test]
fn memory() {
    let folder = Folder::new(&[("main.rs", &format!("{RACE}fn main() {{ race() }}\n"))]);
    let (_, stderr, status) = folder.output(&["check", "--memory", "20MB", "main.rs"]);
    assert!(stderr.contains("memory limit of 20 MB reached (`--memory`)") && status == 0, "{status}: {stderr}");
    let (stdout, stderr, status) = folder.output(&["check", "--memory", "64GB", "main.rs"]);
    assert!(stdout.contains("data-race") && status == 1, "{status}: {stderr}");
    let (_, stderr, status) = folder.output(&["check", "--memory", "much", "main.rs"]);
    assert!(stderr.contains("such as 4GB or 512MB") && status == 2, "{status}: {stderr}");
}
