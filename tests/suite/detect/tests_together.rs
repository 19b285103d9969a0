//! Tests that run at the same time, as those of one program do.

use crate::support::Folder;

const BARRIER: &str = "
use std::sync::{Barrier, Mutex};

static BARRIER: Barrier = Barrier::new(2);
static ALONE: Barrier = Barrier::new(2);
static ORDER: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn meet(number: u32) {
    ORDER.lock().unwrap().push(number);
    BARRIER.wait();
}

#[test]
fn comes_first() {
    meet(1);
    assert_eq!(ORDER.lock().unwrap().len(), 2);
}

#[test]
fn comes_second() {
    meet(2);
}

#[test]
fn is_alone() {
    ALONE.wait();
}

#[test]
fn locks_twice() {
    let _order = ORDER.lock();
    let _again = ORDER.lock();
}
";

/// Two tests meet at a barrier in a static. A barrier that one test uses is reported, and so is a lock.
#[test]
fn a_test_may_wait_for_another_one() {
    let folder = Folder::new(&[("tests.rs", BARRIER)]);
    let (stdout, stderr, status) = folder.output(&["check", "--format", "short", "tests.rs"]);
    let lines: Vec<&str> = stdout.lines().filter_map(|line| line.split(": error[deadlock]").next()).collect();
    assert_eq!((lines, status), (vec!["tests.rs:26:5", "tests.rs:32:18"], 1), "{stdout}{stderr}");
    let left_out = "stopped: a test waits for another test, which runs at the same time (2 of 4 schedules)";
    assert!(stderr.contains(left_out), "{stderr}");
}
