//! Programs that take long to start their threads: schedules share that beginning (decision 29).

use crate::support::Folder;

/// Takes over a million steps, more than a run may take after it.
const BEGINNING: &str = "\
use std::sync::Mutex;
use std::thread;

static STOCK: Mutex<u64> = Mutex::new(1);
static SOLD: Mutex<u64> = Mutex::new(0);

fn checksum() -> u64 {
    let mut sum = 0_u64;
    for number in 0..200_000_u64 {
        sum = sum.rotate_left(5) ^ number;
    }
    sum
}

fn sell() {
    let mut stock = STOCK.lock().unwrap();
    *SOLD.lock().unwrap() += 1;
    *stock -= 1;
}

fn take_back() {
    let mut sold = SOLD.lock().unwrap();
    *STOCK.lock().unwrap() += 1;
    *sold = sold.saturating_sub(1);
}
";

fn program(main: &str) -> Folder {
    Folder::new(&[("main.rs", &format!("{BEGINNING}\nfn main() {{\n{main}}}\n"))])
}

const HANGS: &str = "    println!(\"{}\", checksum());
    let clerk = thread::spawn(sell);
    take_back();
    clerk.join().unwrap();
";

#[test]
fn a_bug_after_a_long_beginning_is_found_and_replays() {
    let folder = program(HANGS);
    let (stdout, stderr, status) = folder.output(&["check", "main.rs"]);
    assert!(stdout.starts_with("error[deadlock]: `main` and "), "{stdout}{stderr}");
    assert!(stdout.contains(" of 100 schedules hang here"), "{stdout}");
    assert!(!stderr.contains("not followed to the end"), "{stderr}");
    assert_eq!(status, 1);
    let (stdout, ..) = folder.output(&["check", "--runs", "40", "main.rs"]);
    assert!(stdout.starts_with("error[deadlock]") && stdout.contains(" of 40 schedules hang here"), "{stdout}");
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|it| it.split_whitespace().next()).expect("an id");
    let (replayed, stderr, status) = folder.output(&["replay", id]);
    assert!(replayed.starts_with("error[deadlock]: `main` and "), "{replayed}{stderr}");
    assert_eq!(status, 1);
}

/// As an asynchronous `main` does: its workers wait while it sets itself up.
const HANGS_LATER: &str = "    let (sender, receiver) = std::sync::mpsc::channel::<fn()>();
    let worker = thread::spawn(move || receiver.iter().for_each(|task| task()));
    println!(\"{}\", checksum());
    sender.send(sell).unwrap();
    take_back();
    drop(sender);
    worker.join().unwrap();
";

#[test]
fn a_bug_after_much_work_beside_an_idle_thread_is_found_and_replays() {
    let folder = program(HANGS_LATER);
    let (stdout, stderr, status) = folder.output(&["check", "--runs", "60", "main.rs"]);
    assert!(stdout.starts_with("error[deadlock]: `main` and "), "{stdout}{stderr}");
    assert_eq!(status, 1);
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|it| it.split_whitespace().next()).expect("an id");
    let (replayed, stderr, status) = folder.output(&["replay", id]);
    assert!(replayed.starts_with("error[deadlock]: `main` and "), "{replayed}{stderr}");
    assert_eq!(status, 1);
    // Nothing of it is shared with a bug that is not there.
    let fixed = HANGS_LATER.replace("    take_back();\n    drop(sender);", "    drop(sender);");
    let (stdout, stderr, status) = program(&fixed).output(&["check", "--runs", "60", "main.rs"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

#[test]
fn what_a_program_is_asked_still_varies() {
    let main = format!("    if std::env::args().any(|it| it == \"--sell\") {{\n{HANGS}    }} else {{ checksum(); }}\n");
    let (stdout, stderr, _) = program(&main).output(&["check", "main.rs"]);
    assert!(stdout.starts_with("error[deadlock]"), "{stdout}{stderr}");
    assert!(stdout.contains("some-input"), "{stdout}");
}

#[test]
fn a_program_that_never_starts_a_thread_ends() {
    let main = "    while std::env::args().count() < 100 { checksum(); }\n";
    let (stdout, stderr, status) = program(main).output(&["check", "main.rs"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("stopped: the bound on steps"), "{stderr}");
}
