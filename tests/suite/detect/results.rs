//! `schedule-dependent-result`: what a failed program printed.

use crate::support::Folder;

const HEAD: &str = "
use std::sync::Mutex;
use std::thread;

static BALANCE: Mutex<u32> = Mutex::new(0);

fn deposit() {
    let before = *BALANCE.lock().unwrap();
    *BALANCE.lock().unwrap() = before + 10;
}

fn total() -> u32 {
    let workers: Vec<_> = (0..2).map(|_| thread::spawn(deposit)).collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    *BALANCE.lock().unwrap()
}
";

fn messages(code: &str) -> Vec<String> {
    let folder = Folder::new(&[("main.rs", &format!("{HEAD}{code}"))]);
    let (stdout, stderr, _) = folder.output(&["check", "--runs", "40", "main.rs"]);
    assert_eq!(stdout.matches("error[schedule-dependent-result]").count(), 1, "{stdout}{stderr}");
    let message = |line: &str| Some(line.trim().strip_prefix("= message: ")?.to_owned());
    stdout.lines().filter_map(message).collect()
}

#[test]
fn the_error_that_main_returns() {
    let code = "
fn main() -> Result<(), String> {
    match total() {
        20 => Ok(()),
        less => Err(format!(\"the balance is {less}\")),
    }
}
";
    assert_eq!(messages(code), ["Error: \"the balance is 10\""]);
}

#[test]
fn the_last_line_before_an_exit() {
    let code = "
fn main() {
    let total = total();
    if total != 20 {
        eprintln!(\"first\\nthe balance\");
        eprint!(\"is \");
        eprint!(\"{total}\");
        std::process::exit(3);
    }
}
";
    assert_eq!(messages(code), ["is 10"]);
}

#[test]
fn what_another_thread_printed() {
    let code = "
fn main() {
    let total = total();
    thread::spawn(|| eprintln!(\"done\")).join().unwrap();
    if total != 20 {
        std::process::exit(3);
    }
}
";
    assert_eq!(messages(code), Vec::<String>::new());
}

/// A long line is cut off, and the next one is a line of its own.
#[test]
fn a_long_line_and_a_short_one() {
    let code = "
fn main() {
    let total = total();
    if total != 20 {
        eprintln!(\"{}\", \"long \".repeat(1000));
        eprintln!(\"short\");
        std::process::exit(3);
    }
}
";
    assert_eq!(messages(code), ["short"]);
}
