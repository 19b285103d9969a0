//! Inputs of a program, and unknown values.

use crate::support::Folder;
use std::process::Command;

/// A run gets its own arguments, environment and standard input.
#[test]
fn a_run_has_this_process_as_its_outside() {
    const ECHO: &str = "
use std::{env, io, process::ExitCode};

fn main() -> ExitCode {
    println!(\"{:?}\", env::args().skip(1).collect::<Vec<_>>());
    println!(\"{:?} {:?}\", env::var(\"TSVD_GIVEN\"), env::var(\"TSVD_NOT_GIVEN\").is_ok());
    let sum: i32 = io::stdin().lines().map(|line| line.unwrap().parse::<i32>().unwrap()).sum();
    println!(\"{sum}\");
    ExitCode::from(env::args().len() as u8)
}
";
    let folder = Folder::new(&[("echo.rs", ECHO), ("input.txt", "20\n22\n")]);
    let input = std::fs::File::open(folder.path().join("input.txt")).expect("the file was written");
    let output = Command::new(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(["run", "echo.rs", "--", "one", "--two"])
        .current_dir(folder.path())
        .env("TSVD_GIVEN", "a value")
        .stdin(input)
        .output()
        .expect("the program was built");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&output.stdout), "[\"one\", \"--two\"]\nOk(\"a value\") false\n42\n");
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(3)));
}

/// A finding that needs an input names one that shows it.
#[test]
fn what_a_program_was_given() {
    const NAMES: &str = "
use std::{env, sync::Mutex};

static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn main() {
    if env::args().nth(1).as_deref() == Some(\"rename\") {
        let names = NAMES.lock().unwrap();
        NAMES.lock().unwrap().push(names[0].clone());
    }
}
";
    let folder = Folder::new(&[("names.rs", NAMES)]);
    let (stdout, stderr, status) = folder.output(&["check", "names.rs"]);
    assert_eq!(status, 1, "{stderr}");
    let given: Vec<_> = stdout.lines().filter(|line| line.contains("given: ")).collect();
    assert!(matches!(given[..], [one] if one.contains("given: the arguments \"rename\"")), "{stdout}");
    assert!(stdout.contains("some-input: it depends on a value from outside the program"), "{stdout}");
}

/// A foreign function may have written behind its mutable pointers.
#[test]
fn what_a_foreign_function_was_given_is_not_known() {
    const FOREIGN: &str = "
use std::ffi::c_int;

unsafe extern \"C\" {
    fn fill(into: *mut u32, count: c_int) -> c_int;
    fn look(at: *const u32) -> c_int;
    fn change(what: &mut u64);
}

fn main() {
    let (mut list, kept, mut changed) = ([1u32, 2, 3], 7u32, 5u64);
    unsafe {
        fill(list.as_mut_ptr(), 2);
        look(&kept);
        change(&mut changed);
    }
    println!(\"{kept} {} | {} {}\", list[2], list[1] == 2, changed == 5);
}
";
    let folder = Folder::new(&[("foreign.rs", FOREIGN)]);
    let outputs: Vec<_> =
        ["0", "1", "2", "3", "4", "5"].map(|seed| folder.output(&["run", "foreign.rs", "--seed", seed])).into();
    for (stdout, stderr, status) in &outputs {
        assert!(stdout.starts_with("7 3 | "), "{stdout}");
        assert!(stderr.starts_with("uninterpreted: ") && stderr.contains("foreign function `fill`"), "{stderr}");
        assert_eq!(*status, 0);
    }
    for ending in [" true\n", " false\n", "| true ", "| false "] {
        assert!(outputs.iter().any(|(stdout, ..)| stdout.contains(ending)), "{ending}");
    }
}

/// An unknown call may have had any effect, such as sending: then no thread counts as waiting forever.
#[test]
fn what_is_not_understood_may_have_served_others() {
    const MISSING: &str = "
use std::{sync::mpsc, thread};

fn main() {
    let (sender, receiver) = mpsc::channel::<u32>();
    let waiter = thread::spawn(move || receiver.recv());
    let keeper = sender.clone();
    std::mem::forget(sender);
    missing::block_on(async move { keeper.send(1).unwrap() });
    waiter.join().unwrap().unwrap();
}
";
    let folder = Folder::new(&[("missing.rs", MISSING)]);
    let (stdout, stderr, status) = folder.output(&["check", "missing.rs"]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("1 finding not shown: it depends on unsupported code"), "{stderr}");
    // The same without a missing dependency.
    let text = MISSING.replace("missing::block_on", "drop");
    let folder = Folder::new(&[("there.rs", &text)]);
    let (stdout, _, status) = folder.output(&["check", "there.rs", "--format", "short"]);
    assert!(stdout.contains("error[deadlock]") && status == 1, "{stdout}");
}

/// What rustc refuses is unknown, not the bytes of something else.
#[test]
fn a_value_of_another_type_is_unknown() {
    let main = r#"
struct Place { at: f64 }

fn doubled(number: f64) -> f64 { number * 2.0 }

fn main() {
    let text: u32 = "a";
    let sum = 1 + text;
    let place = Place { at: 1 };
    let twice = doubled(true);
    let _ = (sum, place.at, twice);
    println!("the end");
}
"#;
    let folder = Folder::new(&[("main.rs", main)]);
    let (stdout, stderr, status) = folder.output(&["run", "main.rs"]);
    assert_eq!((stdout.as_str(), status), ("the end\n", 0), "{stderr}");
    assert!(stderr.contains("(first: main.rs:7:21 an expression of another type)"), "{stderr}");
}

/// All that a run does agrees with one value of an unknown number.
#[test]
fn an_unknown_number_is_the_same_everywhere() {
    let main = r#"
unsafe extern "C" { fn from_outside() -> u32; fn length() -> u64; }

fn main() {
    let number = unsafe { from_outside() };
    let text = number.to_string();
    let digits = match number { 0..=9 => 1, 10..=99 => 2, 100..=999 => 3, _ => text.len().max(4) };
    assert_eq!(text.len(), digits);
    assert_eq!(number / 10 * 10 + number % 10, number);
    let length = unsafe { length() };
    if length < 50 {
        assert_eq!((0..length).map(std::hint::black_box).filter(|it| *it < length).count() as u64, length);
        assert_eq!((0..100).position(|it| it == length), Some(length as usize));
    }
    println!("{}", length < 1 << 60);
}
"#;
    let folder = Folder::new(&[("main.rs", main)]);
    let mut small = 0;
    for seed in 0..6 {
        let (stdout, stderr, status) = folder.output(&["run", "--seed", &seed.to_string(), "main.rs"]);
        assert_eq!(status, 0, "{stdout}{stderr}");
        small += usize::from(stdout == "true\n");
    }
    assert!(small >= 4, "most numbers are plausible: {small}");
}
