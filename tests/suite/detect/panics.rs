//! Panics that depend on the schedule, and those that depend on something else.

use crate::support::Folder;

/// A program with two cells that a thread fills.
const HEAD: &str = "\
#![allow(unused)]
use std::{collections::HashMap, env, fs, hash::*, sync::Mutex, thread, time::Duration};

static FIRST: Mutex<Option<u32>> = Mutex::new(None);
static SECOND: Mutex<Option<u32>> = Mutex::new(None);

fn fill() {
    let late = |cell: &Mutex<Option<u32>>| *cell.lock().unwrap_or_else(|it| it.into_inner()) = Some(7);
    late(&FIRST);
    late(&SECOND);
}

fn take(cell: &Mutex<Option<u32>>) -> Option<u32> {
    cell.lock().unwrap_or_else(|it| it.into_inner()).take()
}
";

/// The lines of the findings of a program that follows `HEAD`; none is only possible.
#[track_caller]
fn lines(code: &str) -> Vec<usize> {
    let folder = Folder::new(&[("main.rs", &format!("{HEAD}{code}"))]);
    let (stdout, stderr, status) =
        folder.output(&["check", "--possible", "--format", "short", "--runs", "40", "main.rs"]);
    assert_eq!(status, i32::from(!stdout.is_empty()), "{stdout}{stderr}");
    assert!(!stderr.contains("possible finding"), "{stderr}");
    assert!(!stderr.contains("not followed to the end"), "{stderr}");
    let told = stdout.lines().filter(|line| line.contains("[schedule-dependent-panic]"));
    let line = |text: &str| text.strip_prefix("main.rs:")?.split(':').next()?.parse::<usize>().ok();
    let mut lines: Vec<usize> = told.filter_map(line).map(|line| line - HEAD.lines().count()).collect();
    assert_eq!(lines.len(), stdout.lines().count(), "{stdout}");
    lines.sort_unstable();
    lines
}

/// Each case is the body of a test; `//~` at the end of a line marks a finding.
#[track_caller]
fn marked_lines_are_found(cases: &[&str]) {
    let test = |(index, body): (usize, &&str)| format!("#[test]\nfn case_{index}() {{\n{body}\n}}\n");
    let code = cases.iter().enumerate().map(test).collect::<String>();
    let expected: Vec<usize> =
        (1..).zip(code.lines()).filter(|(_, line)| line.ends_with("//~")).map(|(number, _)| number).collect();
    assert_eq!(lines(&code), expected, "{code}");
}

#[test]
fn what_the_schedule_decides_is_found() {
    marked_lines_are_found(&[
        "let worker = thread::spawn(fill);
        take(&FIRST).unwrap(); //~
        worker.join().unwrap();",
        "let worker = thread::spawn(fill);
        let values = [1, 2];
        let value = values[1 + take(&FIRST).map_or(1, |_| 0)]; //~
        worker.join().unwrap();",
        // Two places in one function, in other words and in the same.
        "let worker = thread::spawn(fill);
        take(&FIRST).unwrap(); //~
        take(&SECOND).unwrap(); //~
        worker.join().unwrap();",
        "let worker = thread::spawn(|| { fill(); thread::yield_now(); fill(); });
        while FIRST.lock().unwrap().is_none() { thread::yield_now(); }
        assert!(take(&SECOND).is_some()); //~
        assert!(take(&SECOND).is_some()); //~
        worker.join().unwrap();",
    ]);
}

#[test]
fn what_depends_on_made_up_inputs_only_is_silent() {
    let beside_a_thread = |body: &str| {
        lines(&format!("fn main() {{\nlet worker = thread::spawn(fill);\n{body}\nworker.join().unwrap();\n}}\n"))
    };
    let inputs = "match env::args().count() {
        2 => drop(env::args().nth(2).unwrap()),
        3 => drop(env::var(\"MODE\").unwrap()),
        4 => assert_ne!(env::var(\"MODE\").unwrap_or_default(), \"\"),
        5 => drop(fs::read_to_string(\"numbers.txt\").unwrap()),
        _ => assert!(env::args().count() > 1),
    }";
    assert_eq!(beside_a_thread(inputs), [0_usize; 0]);
    // The same inputs, and an order of threads.
    assert_eq!(beside_a_thread("if env::args().count() > 1 {\ntake(&FIRST).unwrap();\n}"), [4]);
}

#[test]
fn what_does_not_depend_on_the_schedule_is_silent() {
    marked_lines_are_found(&[
        // The order of a map, and random numbers.
        "let worker = thread::spawn(fill);
        let map = HashMap::from([(1, 1), (2, 2)]);
        assert_eq!(map.keys().next(), Some(&1));
        worker.join().unwrap();",
        "let worker = thread::spawn(fill);
        assert_eq!(std::hash::RandomState::new().hash_one(1) % 2, 0);
        worker.join().unwrap();",
        // Which thread gets which keys depends on the schedule, but the order of a map on nothing else.
        "let worker = thread::spawn(|| HashMap::from([(1, 1), (2, 2)]).into_keys().next());
        let map = HashMap::from([(1, 1), (2, 2)]);
        assert_eq!(map.keys().next(), Some(&1));
        worker.join().unwrap();",
        // Every schedule panics, unless the end of the test comes before.
        "thread::spawn(|| { fill(); panic!(\"on purpose\") });
        while take(&FIRST).is_none() { thread::yield_now(); }",
        // Every schedule panics.
        "let worker = thread::spawn(fill);
        panic!(\"always\");",
        "let worker = thread::spawn(fill);
        let value = take(&FIRST).unwrap();
        assert_eq!(value, 8);
        worker.join().unwrap();",
    ]);
}

#[test]
fn what_sleeps_order_is_silent() {
    let sleeps = |fills_after: u32, takes_after: u32| {
        format!(
            "let sleep = |time| thread::sleep(Duration::from_millis(time));
            let worker = thread::spawn(move || {{ sleep({fills_after}); fill() }});
            sleep({takes_after});
            take(&FIRST).unwrap();
            worker.join().unwrap();"
        )
    };
    // So close that either may come first: it must fail with punctual sleeps too. In the wrong order it always fails.
    marked_lines_are_found(&[&sleeps(10, 100), &sleeps(100, 101), &sleeps(100, 10)]);
}

#[test]
fn what_somebody_handles_is_silent() {
    marked_lines_are_found(&[
        "let worker = thread::spawn(|| take(&FIRST).unwrap());
        fill();
        if let Err(_) = worker.join() { println!(\"too early\"); }",
        "let worker = thread::spawn(|| take(&FIRST).unwrap());
        fill();
        assert_eq!(worker.join().unwrap_or(7), 7);",
        // What the other thread left is told, and not the line that passes it on.
        "let worker = thread::spawn(|| take(&FIRST).unwrap()); //~
        fill();
        worker.join().unwrap();",
        "let worker = thread::spawn(|| take(&FIRST).unwrap()); //~
        fill();
        if let Err(it) = worker.join() { std::panic::resume_unwind(it); }",
        // A panic that is caught is not told in place of another one.
        "let worker = thread::spawn(fill);
        let _ = std::panic::catch_unwind(|| take(&SECOND).unwrap());
        take(&FIRST).unwrap(); //~
        worker.join().unwrap();",
        // Nor is one that is handled under every schedule.
        "let worker = thread::spawn(fill);
        let fails = thread::spawn(|| panic!(\"on purpose\"));
        take(&FIRST).unwrap(); //~
        assert!(fails.join().is_err());
        worker.join().unwrap();",
        // What another thread meets after `main` has panicked follows from that.
        "let worker = thread::spawn(|| {
            FIRST.lock().unwrap().take();
            drop(FIRST.lock().unwrap());
        });
        *FIRST.lock().unwrap() = Some(1);
        if FIRST.lock().unwrap().is_some() {
            FIRST.lock().unwrap().take().unwrap(); //~
        }
        worker.join().unwrap();",
        // A lock that is found poisoned follows from the panic that poisoned it.
        "let worker = thread::spawn(|| {
            let mut cell = FIRST.lock().unwrap();
            *cell = Some(cell.unwrap() + 1); //~
        });
        *FIRST.lock().unwrap() = Some(1);
        worker.join().unwrap();",
    ]);
}

/// A failure after a type error may follow from it. A deadlock is reported all the same.
#[test]
fn half_typed_code_shows_no_failures() {
    let check = |half_typed: &str| {
        let panic = "let worker = thread::spawn(fill);\n    take(&FIRST).unwrap();\n    worker.join().unwrap();";
        let lock = "let held = FIRST.lock().unwrap();\n    drop(FIRST.lock().unwrap());";
        let code = format!(
            "{HEAD}#[test]\nfn panics() {{\n    {half_typed}\n    {panic}\n}}\n\
             #[test]\nfn locks() {{\n    {half_typed}\n    {lock}\n}}\n"
        );
        let folder = Folder::new(&[("main.rs", &code)]);
        let (certain, _, _) = folder.output(&["check", "--format", "short", "--runs", "40", "main.rs"]);
        let (all, _, _) = folder.output(&["check", "--possible", "--format", "short", "--runs", "40", "main.rs"]);
        let count = |text: &str, rule: &str| text.lines().filter(|line| line.contains(rule)).count();
        ["schedule-dependent-panic", "deadlock"].map(|rule| (count(&certain, rule), count(&all, rule)))
    };
    assert_eq!(check("let count: u32 = 1;"), [(1, 1), (1, 1)]);
    assert_eq!(check("let count: u32 = \"one\";"), [(0, 0), (1, 1)]);
}

#[test]
fn a_test_that_should_panic_is_silent() {
    let test = |attribute: &str| {
        format!(
            "#[test]\n{attribute}\nfn early() {{\nlet worker = thread::spawn(fill);\n\
             take(&FIRST).unwrap();\nworker.join().unwrap();\n}}\n"
        )
    };
    let [plain, any, named] = ["", "#[should_panic]", "#[should_panic(expected = \"None\")]"].map(test);
    let code = format!("{plain}mod any {{ use super::*;\n{any}}}\nmod named {{ use super::*;\n{named}}}\n");
    assert_eq!(lines(&code), [5]);
}

#[test]
fn a_report_shows_both_schedules_and_replays() {
    let code = "fn main() {\n    let worker = thread::spawn(fill);\n    take(&FIRST).unwrap();\n    worker.join().unwrap();\n}\n";
    let folder = Folder::new(&[("main.rs", &format!("{HEAD}{code}"))]);
    let (stdout, stderr, status) = folder.output(&["check", "--runs", "40", "main.rs"]);
    assert!(stdout.starts_with("error[schedule-dependent-panic]: `main` unwraps `None`"), "{stdout}{stderr}");
    for note in ["= otherwise: the same inputs end well if, after step", "= fix: ", "= certain: "] {
        assert!(stdout.contains(note), "{stdout}");
    }
    assert!(stderr.contains("1 bug.") && !stderr.contains("ended by a panic") && status == 1, "{stderr}");
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|it| it.split_whitespace().next()).expect("an id");
    let (replayed, stderr, _) = folder.output(&["replay", id]);
    assert!(replayed.contains("[schedule-dependent-panic]"), "{replayed}{stderr}");
}

#[test]
fn reports_have_the_message() {
    let code = "
#[test]
fn values() {
    let worker = thread::spawn(fill);
    assert_eq!(take(&SECOND), None, \"the second one\\nis late\");
    worker.join().unwrap();
}

#[test]
fn nothing_new() {
    let worker = thread::spawn(fill);
    take(&FIRST).unwrap();
    worker.join().unwrap();
}
";
    let folder = Folder::new(&[("main.rs", &format!("{HEAD}{code}"))]);
    let (stdout, stderr, _) = folder.output(&["check", "--runs", "40", "main.rs"]);
    let messages: Vec<&str> = stdout.lines().filter(|line| line.contains("= message: ")).map(str::trim).collect();
    let values = "= message: assertion `left == right` failed: the second one, is late, left: Some(7), right: None";
    assert_eq!(messages, [values], "{stdout}{stderr}");
    assert_eq!(stdout.matches("error[schedule-dependent-panic]").count(), 2, "{stdout}");
}
