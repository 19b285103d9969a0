//! Which findings depend on guesses: those that a guess about an unknown value controls.

use crate::support::Folder;
use expect_test::expect;

const HEAD: &str = "\
#![allow(static_mut_refs, unused)]

use std::sync::{Mutex, MutexGuard};
use std::thread;

unsafe extern \"C\" {
    fn flag() -> bool;
    fn number() -> u32;
}

fn is_set() -> bool {
    unsafe { flag() }
}

fn parse() -> Result<u32, u32> {
    match is_set() {
        true => Ok(1),
        false => Err(2),
    }
}
";

/// A test in which a thread and the test itself add to a static, on one line.
fn case(index: usize, [before, access, after]: [&str; 3]) -> String {
    format!(
        "mod case_{index} {{ use super::*; static mut COUNT_{index}: u32 = 0; static LOCK: Mutex<()> = Mutex::new(()); \
         fn add() {{ unsafe {{ COUNT_{index} += 1 }} }} fn worker() {{ let _guard = LOCK.lock().unwrap(); add(); }} \
         #[test] fn work() -> Result<(), u32> {{ let worker = thread::spawn(worker); {before} {access} {after} \
         worker.join().unwrap(); Ok(()) }} }}\n"
    )
}

/// Every case is `expected`: a finding, a possible one, or nothing.
fn all_are(expected: &str, cases: &[[&str; 3]]) {
    let tests: String = cases.iter().enumerate().map(|(index, case_of)| case(index, *case_of)).collect();
    let folder = Folder::new(&[("main.rs", &format!("{HEAD}{tests}"))]);
    let (stdout, stderr, _) = folder.output(&["check", "--possible", "--format", "short", "main.rs"]);
    assert!(stderr.contains("uninterpreted: foreign function"), "{stderr}");
    for (index, case) in cases.iter().enumerate() {
        let at = format!("main.rs:{}:", HEAD.lines().count() + index + 1);
        let told = stdout.lines().filter(|line| line.starts_with(&at));
        let told: Vec<&str> =
            told.map(|line| if line.contains("error[data-race]") { "certain" } else { "possible" }).collect();
        assert_eq!(told.first().unwrap_or(&"silent"), &expected, "{case:?}\n{stdout}{stderr}");
    }
}

#[test]
fn what_no_branch_decides_over_is_certain() {
    let cases = [
        ["if is_set() { println!(\"verbose\"); }", "add();", ""],
        ["let name = if is_set() { \"one\" } else { \"two\" };", "add();", "println!(\"{name}\");"],
        [
            "match unsafe { number() } { 0 => {} 1 => print!(\"one\"), 2 => print!(\"two\"), _ => print!(\"many\") }",
            "add();",
            "",
        ],
        ["let mut left = 3; while left > 0 && is_set() { left -= 1; }", "add();", ""],
        ["let value = parse().unwrap_or(7);", "add();", "print!(\"{value}\");"],
        // The same access either way.
        ["", "if is_set() { add() } else { add() }", ""],
        // A later branch does not matter.
        ["", "add();", "if is_set() { return Err(1); }"],
    ];
    all_are("certain", &cases);
}

#[test]
fn what_a_branch_decides_over_is_possible() {
    let cases = [
        // The access itself.
        ["", "if is_set() { add(); }", ""],
        ["", "match unsafe { number() } { 3 => add(), _ => {} }", ""],
        ["let value = parse()?;", "add();", "print!(\"{value}\");"],
        ["if is_set() { return Ok(()); }", "add();", ""],
        ["let first = is_set(); let second = is_set();", "if first && second { add(); }", ""],
        // A lock that the other branch takes: no branch on the path to the access shows it.
        ["let guard = if is_set() { Some(LOCK.lock().unwrap()) } else { None };", "add();", "drop(guard);"],
        [
            "let guard = match unsafe { number() } { 5 => Some(LOCK.lock().unwrap()), _ => None };",
            "add();",
            "drop(guard);",
        ],
        // The effect of a branch is tested later.
        [
            "let mut lock = false; if is_set() { lock = true; }",
            "let guard = lock.then(|| LOCK.lock().unwrap()); add();",
            "drop(guard);",
        ],
        ["let count = if is_set() { 1 } else { 0 };", "for _ in 0..count { add(); }", ""],
        // Neither alone takes the lock.
        [
            "let (first, second) = (is_set(), is_set()); let guard = if first && second { Some(LOCK.lock().unwrap()) } else { None };",
            "add();",
            "drop(guard);",
        ],
        // Either one does.
        ["let guard = if is_set() || is_set() { Some(LOCK.lock().unwrap()) } else { None };", "add();", "drop(guard);"],
    ];
    all_are("possible", &cases);
}

#[test]
fn nothing_is_found_where_no_way_leads_to_it() {
    let cases = [
        ["if is_set() { print!(\"verbose\"); } let guard = LOCK.lock().unwrap();", "add();", "drop(guard);"],
        ["let guard = if is_set() { LOCK.lock() } else { LOCK.lock() };", "add();", "drop(guard);"],
    ];
    all_are("silent", &cases);
}

const CERTAIN: &str = "\
use std::sync::Mutex;
use std::thread;

unsafe extern \"C\" {
    fn is_verbose() -> bool;
}

static FROM: Mutex<u32> = Mutex::new(1);
static TO: Mutex<u32> = Mutex::new(2);

fn main() {
    let other = thread::spawn(|| {
        let mut to = TO.lock().unwrap();
        *to += *FROM.lock().unwrap();
    });
    if unsafe { is_verbose() } {
        println!(\"started\");
    }
    let mut from = FROM.lock().unwrap();
    *from += *TO.lock().unwrap();
    drop(from);
    other.join().unwrap();
}
";

#[test]
fn the_report_says_what_was_tried_and_its_schedule_shows_it_again() {
    let folder = Folder::new(&[("move.rs", CERTAIN)]);
    folder.expect(
        &["check", "move.rs"],
        &expect![[r#"
        stdout:
        error[deadlock]: `main` and thread 1 (started at move.rs:12) each hold a lock the other waits for
          --> move.rs:14:17
           |
        13 |         let mut to = TO.lock().unwrap();
           |                      --------- thread 1 took `TO` here, holds it until line 15
        14 |         *to += *FROM.lock().unwrap();
           |                 ^^^^^^^^^^^ thread 1 waits here for `FROM`, held by `main`
        ...
        19 |     let mut from = FROM.lock().unwrap();
           |                    ----------- `main` took `FROM` here
        20 |     *from += *TO.lock().unwrap();
           |               --------- `main` waits here for `TO`, held by thread 1
           |
           = how it happens:
               main                               thread 1
             1 move.rs:12  starts thread 1
             2 move.rs:19  takes FROM
             3                                    move.rs:13  takes TO
             4                                    move.rs:14  waits for FROM
             5 move.rs:20  waits for TO           -- neither can go on
           = main:     main (move.rs:20)
           = thread 1: started at move.rs:12 > closure (move.rs:14)
           = order: `main` takes TO, then FROM, and also the other way round
           = tried: 1 branch on unsupported code before this point: the bug occurs whichever way it goes
           = certain: it depends on no unknown value. 29 of 100 schedules hang here
           = replay: tsvd-check replay 4a2504    explain: tsvd-check explain deadlock
             allow:  // tsvd: allow(deadlock, reason = "...")

        stderr:
        move: 1 bug. 1 entry (main), 100 schedules
              reached 4 of 4 lock sites, 4 concurrently
              uninterpreted: foreign function `is_verbose` (move.rs:16:17)
        status: 1
    "#]],
    );
    let (stdout, ..) = folder.output(&["check", "move.rs"]);
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
    let (again, _, status) = folder.output(&["replay", id]);
    assert!(again.contains("tried: 1 branch") && status == 1, "{again}");
}
