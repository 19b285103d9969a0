//! Output and exit status of the commands.

use crate::support::Folder;
use expect_test::expect;

const RACE: &str = "\
use std::thread;

static mut COUNTER: u64 = 0;

fn main() {
    let worker = thread::Builder::new().name(\"worker\".to_owned()).spawn(|| unsafe { COUNTER += 1 }).unwrap();
    unsafe { COUNTER = 5 }
    worker.join().unwrap();
}
";

const DEADLOCK: &str = "\
use std::{sync::Mutex, thread};

static STOCK: Mutex<u32> = Mutex::new(10);
static SOLD: Mutex<u32> = Mutex::new(0);

fn sell() {
    let mut stock = STOCK.lock().unwrap();
    *SOLD.lock().unwrap() += 1;
    *stock -= 1;
}

fn main() {
    thread::scope(|scope| {
        scope.spawn(sell);
        let sold = SOLD.lock().unwrap();
        println!(\"{}\", *STOCK.lock().unwrap() + *sold);
    });
}
";

const NOTHING_WRONG: &str = "\
use std::{sync::atomic::{AtomicU32, Ordering}, thread};

static COUNTER: AtomicU32 = AtomicU32::new(0);

fn main() {
    let worker = thread::spawn(|| COUNTER.fetch_add(1, Ordering::Relaxed));
    COUNTER.fetch_add(1, Ordering::Relaxed);
    worker.join().unwrap();
}
";

#[test]
fn rules_are_listed() {
    let (stdout, stderr, status) = Folder::new(&[]).output(&["rules"]);
    expect_test::expect![[r#"
        data-race                  error    two unordered accesses to one memory location, at least one of them a write, not both atomic
        deadlock                   error    threads that wait for each other's locks or for a lock that they hold, a `main` or test that waits forever
        livelock                   error    a thread that spins forever, where the same inputs end well under another schedule
        schedule-dependent-fault   error    undefined behaviour, where the same inputs end well under another schedule
        schedule-dependent-panic   error    a panic that nobody handles, where the same inputs end well under another schedule
        schedule-dependent-result  error    a `main` or test that fails, where the same inputs end well under another schedule
        thread-safety-violation    error    two unordered method calls on an object that does not allow them, at least one of them a write
    "#]]
    .assert_eq(&stdout);
    assert_eq!((stderr.as_str(), status), ("", 0));
}

#[test]
fn a_race() {
    let folder = Folder::new(&[("race.rs", RACE)]);
    folder.expect(&["check", "race.rs"], &expect![[r#"
        stdout:
        error[data-race]: `main` writes and `worker` updates `COUNTER`, and nothing orders the two
         --> race.rs:6:85
          |
        6 |     let worker = thread::Builder::new().name("worker".to_owned()).spawn(|| unsafe { COUNTER += 1 }).unwrap();
          |                                                                                     ^^^^^^^^^^^^ `worker` updates `COUNTER` here
        7 |     unsafe { COUNTER = 5 }
          |              ----------- `main` writes it here
          |
          = how it happens:
              main                              worker
            1 race.rs:6  starts `worker`
            2 race.rs:7  writes COUNTER
            3                                   race.rs:6  updates COUNTER  -- nothing orders it after step 2
          = main:   main (race.rs:7)
          = worker: started at race.rs:6 > closure (race.rs:6)
          = why: neither holds a lock; `worker` runs since its start at line 6, and neither waits for the other
          = certain: it depends on no unknown value. 100 of 100 schedules show it
          = replay: tsvd-check replay 603d12    explain: tsvd-check explain data-race
            allow:  // tsvd: allow(data-race, reason = "...")

        stderr:
        race: 1 bug. 1 entry (main), 100 schedules
              no locks, atomics, channels or awaits here; nothing left out
        status: 1
    "#]]);
    // The same input gives the same bytes; `check` is the default command.
    assert_eq!(folder.output(&["check", "race.rs"]), folder.output(&["race.rs"]));
}

#[test]
fn a_deadlock() {
    let folder = Folder::new(&[("shop/stock.rs", DEADLOCK)]);
    folder.expect(&["check", "shop/stock.rs", "--format", "short"], &expect![[r#"
        stdout:
        shop/stock.rs:8:6: error[deadlock]: thread 1 (started at stock.rs:14) waits for `SOLD` while holding `STOCK`; `main` waits for `STOCK` while holding `SOLD` (with shop/stock.rs:16:25, shop/stock.rs:15:20, shop/stock.rs:7:21)
        stderr:
        stock: 1 bug. 1 entry (main), 100 schedules
               reached 4 of 4 lock sites, 4 concurrently; nothing left out
        status: 1
    "#]]);
}

#[test]
fn nothing_wrong() {
    let folder = Folder::new(&[("fine.rs", NOTHING_WRONG)]);
    folder.expect(
        &["check", "fine.rs", "--runs", "7"],
        &expect![[r#"
            stdout:
            stderr:
            fine: no bug found. 1 entry (main), 7 schedules
                  reached 2 of 2 atomic sites, 2 concurrently; nothing left out
            status: 0
        "#]],
    );
}

#[test]
fn seeds_and_runs() {
    let folder = Folder::new(&[("stock.rs", DEADLOCK)]);
    let seeded = |seed| folder.output(&["check", "stock.rs", "--runs", "3", "--seed", seed]);
    assert_eq!(seeded("1"), seeded("1"));
    let all: Vec<_> = ["1", "2", "3", "4"].into_iter().map(seeded).collect();
    assert!(all.iter().any(|it| *it != all[0]), "every seed gives the same schedules");
    let (_, stderr, status) = folder.output(&["check", "stock.rs", "--runs", "0"]);
    assert_eq!(status, 2, "{stderr}");
}

#[test]
fn a_run_is_the_programs_own() {
    let folder = Folder::new(&[
        ("exits.rs", "fn main() { println!(\"out\"); eprintln!(\"err\"); std::process::exit(3) }"),
        ("panics.rs", "fn main() { let list: Vec<u32> = Vec::new(); println!(\"{}\", list[1]); }"),
        ("fails.rs", "fn main() -> Result<(), String> { Err(\"no luck\".to_owned()) }"),
        ("aborts.rs", "fn main() { std::process::abort() }"),
    ]);
    folder.expect(
        &["run", "exits.rs"],
        &expect![[r#"
        stdout:
        out
        stderr:
        err
        status: 3
    "#]],
    );
    let (stdout, stderr, status) = folder.output(&["run", "panics.rs"]);
    assert_eq!((stdout.as_str(), status), ("", 101));
    assert!(stderr.contains("panicked at panics.rs:1:"), "{stderr}");
    assert!(stderr.contains("index out of bounds: the len is 0 but the index is 1"), "{stderr}");
    folder.expect(
        &["run", "fails.rs"],
        &expect![[r#"
        stdout:
        stderr:
        Error: "no luck"
        status: 1
    "#]],
    );
    folder.expect(
        &["run", "aborts.rs"],
        &expect![[r#"
        stdout:
        stderr:
        status: 134
    "#]],
    );
}

#[test]
fn what_is_not_known_is_told_last() {
    let folder = Folder::new(&[(
        "calls.rs",
        "unsafe extern \"C\" { fn measure() -> u32; }\nfn main() {\n    let _found = unsafe { measure() };\n    \
         eprintln!(\"done\");\n}\n",
    )]);
    folder.expect(
        &["run", "calls.rs"],
        &expect![[r#"
        stdout:
        stderr:
        done
        uninterpreted: 1 (first: calls.rs:3:27 foreign function `measure`)
        status: 0
    "#]],
    );
}

#[test]
fn paths_that_lead_nowhere() {
    let folder = Folder::new(&[("empty/notes.txt", ""), ("broken/Cargo.toml", "[package\n")]);
    folder.write("latin.rs", b"fn main() { /* \xe9 */ }");
    folder.expect(
        &["check", "none.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: no such file or folder: none.rs
        status: 2
    "#]],
    );
    folder.expect(
        &["run", "nowhere"],
        &expect![[r#"
        stdout:
        stderr:
        error: no such file or folder: nowhere
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "empty"],
        &expect![[r#"
        stdout:
        stderr:
        error: no Cargo.toml or rust-project.json in empty: give a package's folder, its Cargo.toml, a rust-project.json, or a single .rs file
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "latin.rs"],
        &expect![[r#"
        stdout:
        stderr:
        error: latin.rs is not UTF-8 (byte 15): save it as UTF-8
        status: 2
    "#]],
    );
    let (stdout, stderr, status) = folder.output(&["check", "broken"]);
    assert_eq!((stdout.as_str(), status), ("", 2));
    assert!(stderr.starts_with("error: cargo cannot read broken/Cargo.toml: "), "{stderr}");
}

#[test]
fn nothing_to_analyse() {
    let folder = Folder::new(&[("empty.rs", ""), ("library.rs", "pub fn helper() {}\n")]);
    folder.expect(
        &["check", "empty.rs"],
        &expect![[r#"
            stdout:
            stderr:
            empty: not analysed: it has no `main`
            nothing was analysed: found no `main`, no test and no public function
            status: 0
        "#]],
    );
    folder.expect(
        &["check", "library.rs"],
        &expect![[r#"
            stdout:
            stderr:
            library: no bug found. 1 entry (API item), 1 schedule
                     no locks, atomics, channels or awaits here; nothing left out
            status: 0
        "#]],
    );
    folder.expect(
        &["run", "library.rs"],
        &expect![[r#"
            stdout:
            stderr:
            library: not analysed: it has no `main`
            error: nothing to run: there is no program with a `main` here
            status: 2
        "#]],
    );
}

#[test]
fn syntax_errors_leave_the_rest() {
    let broken = RACE.replace("fn main", "fn half(list: &[u32]) { list. }\n\nfn main");
    let folder = Folder::new(&[("typing.rs", broken.as_str())]);
    folder.expect(&["check", "typing.rs"], &expect![[r#"
        stdout:
        error[data-race]: `main` writes and `worker` updates `COUNTER`, and nothing orders the two
         --> typing.rs:8:85
          |
        8 |     let worker = thread::Builder::new().name("worker".to_owned()).spawn(|| unsafe { COUNTER += 1 }).unwrap();
          |                                                                                     ^^^^^^^^^^^^ `worker` updates `COUNTER` here
        9 |     unsafe { COUNTER = 5 }
          |              ----------- `main` writes it here
          |
          = how it happens:
              main                                worker
            1 typing.rs:8  starts `worker`
            2 typing.rs:9  writes COUNTER
            3                                     typing.rs:8  updates COUNTER  -- nothing orders it after step 2
          = main:   main (typing.rs:9)
          = worker: started at typing.rs:8 > closure (typing.rs:8)
          = why: neither holds a lock; `worker` runs since its start at line 8, and neither waits for the other
          = certain: it depends on no unknown value. 100 of 100 schedules show it
          = replay: tsvd-check replay dbe21b    explain: tsvd-check explain data-race
            allow:  // tsvd: allow(data-race, reason = "...")

        stderr:
        typing.rs:5:30: syntax error, code skipped: expected field name or number
        typing: 1 bug. 1 entry (main), 100 schedules
                no locks, atomics, channels or awaits here
        status: 1
    "#]]);
}

#[test]
fn type_errors_leave_the_rest() {
    let folder = Folder::new(&[(
        "typing.rs",
        "fn main() {\n    println!(\"before\");\n    let n: u32 = undefined(1);\n    println!(\"after\");\n    \
         std::process::exit(4)\n}\n",
    )]);
    folder.expect(
        &["run", "typing.rs"],
        &expect![[r#"
            stdout:
            before
            after
            stderr:
            uninterpreted: 1 (first: typing.rs:3:18 call of `undefined`, which is not known)
            status: 4
        "#]],
    );
}

#[test]
fn editions() {
    // `async` is a name in 2015.
    let folder = Folder::new(&[("old.rs", "fn async() -> u32 { 7 }\nfn main() { println!(\"{}\", async()); }\n")]);
    folder.expect(
        &["run", "old.rs", "--edition", "2015"],
        &expect![[r#"
        stdout:
        7
        stderr:
        status: 0
    "#]],
    );
    let (_, stderr, status) = folder.output(&["run", "old.rs", "--edition", "2020"]);
    assert_eq!(status, 2, "{stderr}");
}

fn package() -> Folder {
    Folder::new(&[
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n\
             counter = { path = \"../counter\" }\n",
        ),
        ("app/src/main.rs", "fn main() { println!(\"{}\", counter::next()); }\n"),
        (
            "app/src/bin/racy.rs",
            "fn main() {\n    let worker = std::thread::spawn(|| counter::unchecked());\n    counter::unchecked();\n    \
             worker.join().unwrap();\n}\n",
        ),
        ("counter/Cargo.toml", "[package]\nname = \"counter\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "counter/src/lib.rs",
            "static mut LAST: u32 = 0;\n\npub fn next() -> u32 {\n    41 + 1\n}\n\npub fn unchecked() {\n    \
             unsafe { LAST += 1 }\n}\n",
        ),
    ])
}

#[test]
fn a_package_with_a_path_dependency_and_two_programs() {
    let folder = package();
    folder.expect(
        &["check", "app"],
        &expect![[r#"
            stdout:
            error[data-race]: `main` and thread 1 (started at racy.rs:2) both update `LAST`, and nothing orders the two
             --> counter/src/lib.rs:8:14
              |
            8 |     unsafe { LAST += 1 }
              |              ^^^^^^^^^ thread 1 updates `LAST` here, and `main` updates it here too
              |
              = how it happens:
                  main                              thread 1
                1 racy.rs:2  starts thread 1
                2 lib.rs:8   updates LAST
                3                                   lib.rs:8   updates LAST  -- nothing orders it after step 2
              = main:     main (racy.rs:3) > unchecked (lib.rs:8)
              = thread 1: started at racy.rs:2 > closure (racy.rs:2) > unchecked (lib.rs:8)
              = why: neither holds a lock; thread 1 runs since its start at line 2, and neither waits for the other
              = certain: it depends on no unknown value. 100 of 100 schedules show it
              = replay: tsvd-check replay 706146    explain: tsvd-check explain data-race
                allow:  // tsvd: allow(data-race, reason = "...")

            stderr:
            app: 1 bug. 2 entries (programs), 101 schedules
                 no locks, atomics, channels or awaits here; nothing left out
            status: 1
        "#]],
    );
    folder.expect(
        &["check", "app/Cargo.toml", "--bin", "app"],
        &expect![[r#"
            stdout:
            stderr:
            app: no bug found. 1 entry (main), 1 schedule
                 no locks, atomics, channels or awaits here; nothing left out
            status: 0
        "#]],
    );
    folder.expect(
        &["run", "app", "--bin", "app"],
        &expect![[r#"
        stdout:
        42
        stderr:
        status: 0
    "#]],
    );
    folder.expect(
        &["run", "app"],
        &expect![[r#"
        stdout:
        stderr:
        error: several programs here: choose one with `--bin` (app, racy)
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "app", "--bin", "other"],
        &expect![[r#"
        stdout:
        stderr:
        error: there is no program `other`; available: app, racy
        status: 2
    "#]],
    );
}

#[test]
fn explanations() {
    let folder = Folder::new(&[]);
    let (stdout, _, status) = folder.output(&["explain", "deadlock"]);
    assert!(stdout.starts_with("# deadlock\n"), "{stdout}");
    assert_eq!(status, 0);
    folder.expect(
        &["explain", "gridlock"],
        &expect![[r#"
            stdout:
            stderr:
            error: unknown rule `gridlock`; the rules are data-race, deadlock, livelock, schedule-dependent-fault, schedule-dependent-panic, schedule-dependent-result, thread-safety-violation
            status: 2
        "#]],
    );
}

#[test]
fn version_and_usage() {
    let folder = Folder::new(&[]);
    let (stdout, _, status) = folder.output(&["--version"]);
    assert_eq!((stdout, status), (format!("tsvd-check {}\n", env!("CARGO_PKG_VERSION")), 0));
    let (stdout, _, status) = folder.output(&["--version", "--verbose"]);
    assert!(stdout.contains("Copyright (c) The Rust Project Contributors"), "{stdout}");
    assert_eq!(status, 0);
    let (_, stderr, status) = folder.output(&["check", "--no-such-option"]);
    assert!(stderr.contains("--no-such-option"), "{stderr}");
    assert_eq!(status, 2);
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(&[("a.rs", "fn main() {}")]);
    folder.expect(
        &["check", "--no-such-option"],
        &expect![[r#"
            stdout:
            stderr:
            error: unexpected argument '--no-such-option' found

              tip: a similar argument exists: '--no-api'

            Usage: tsvd-check check --no-api [PATH]...

            For more information, try '--help'.
            status: 2
        "#]],
    );
    folder.expect(
        &["check", "--sed", "3"],
        &expect![[r#"
        stdout:
        stderr:
        error: unexpected argument '--sed' found

          tip: a similar argument exists: '--seed'

        Usage: tsvd-check check --seed <SEED> [PATH]...

        For more information, try '--help'.
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "a.rs", "--seed", "x"],
        &expect![[r#"
        stdout:
        stderr:
        error: invalid value 'x' for '--seed <SEED>': invalid digit found in string

        For more information, try '--help'.
        status: 2
    "#]],
    );
    folder.expect(
        &["check", "a.rs", "--edition", "2020"],
        &expect![[r#"
        stdout:
        stderr:
        error: invalid value '2020' for '--edition <EDITION>'
          [possible values: 2015, 2018, 2021, 2024]

          tip: a similar value exists: '2024'

        For more information, try '--help'.
        status: 2
    "#]],
    );
    folder.expect(
        &["run", "a.rs", "b.rs"],
        &expect![[r#"
            stdout:
            stderr:
            error: unexpected argument 'b.rs' found

            Usage: tsvd-check run [OPTIONS] [PATH] [-- <ARGS>...]

            For more information, try '--help'.
            status: 2
        "#]],
    );
    folder.expect(
        &["--verbose"],
        &expect![[r#"
        stdout:
        stderr:
        error: the following required arguments were not provided:
          --version

        Usage: tsvd-check --version --verbose [PATH]...

        For more information, try '--help'.
        status: 2
    "#]],
    );
}

/// A summary distinguishes undefined behaviour of the program from a possible fault of the checker.
#[test]
fn whose_fault_a_fault_is() {
    let known = "fn main() { let p: *const u32 = std::ptr::null(); println!(\"{}\", unsafe { *p }); }\n";
    let unknown = "unsafe extern \"C\" { fn next() -> u32; }\nfn main() {\n    let n = unsafe { next() };\n    let p: *const u32 = std::ptr::null();\n    println!(\"{n} {}\", unsafe { *p });\n}\n";
    let folder = Folder::new(&[("known.rs", known), ("unknown.rs", unknown)]);
    let summary = |file: &str| folder.output(&["check", file]).1;
    let (known, unknown) = (summary("known.rs"), summary("unknown.rs"));
    assert!(known.contains("undefined behaviour of the program: access through a null or dangling pointer"), "{known}");
    let expected = "stopped after uninterpreted values: access through a null or dangling pointer";
    assert!(unknown.contains(expected), "{unknown}");
}
