//! Callbacks that borrow: what they borrow is gone once the call that they were given to has ended.

use super::{library, silent_by_default};
use expect_test::expect;

/// Runs a function that may borrow on another thread, and waits for its end.
const TEAM: &str = "
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

pub struct Team {
    jobs: Sender<Job>,
}

#[derive(Default)]
struct Done {
    is_done: Mutex<bool>,
    changed: Condvar,
}

impl Team {
    pub fn new() -> Team {
        let (jobs, received) = channel::<Job>();
        thread::spawn(move || received.into_iter().for_each(|job| job()));
        Team { jobs }
    }

    pub fn run<'a>(&'a self, what: impl FnOnce() + Send + 'a) {
        let done = Arc::new(Done::default());
        let of_job = done.clone();
        let job: Box<dyn FnOnce() + Send + 'a> = Box::new(move || {
            what();
            *of_job.is_done.lock().unwrap() = true;
            of_job.changed.notify_one();
        });
        // It has ended before this function ends.
        let job = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + 'a>, Job>(job) };
        let _ = self.jobs.send(job);
        let is_done = done.is_done.lock().unwrap();
        if !*is_done {
            drop(done.changed.wait(is_done).unwrap());
        }
    }
}
";

#[test]
fn a_wait_without_a_loop() {
    let folder = library(TEAM);
    let (stdout, stderr, status) = folder.output(&["check", "."]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.contains("what a callback borrows, and nothing orders the two"), "{stdout}{stderr}");
    assert!(stdout.contains("lib.rs:38  wakes without a notification, as std allows"), "{stdout}{stderr}");
    let id = stdout.split("tsvd-check replay ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let (test, stderr, _) = folder.output(&["replay", id.unwrap_or_default(), "--as", "miri"]);
    assert!(test.contains("let mut borrowed = 0;") && test.contains("borrowed += 1;"), "{test}{stderr}");
}

#[test]
fn a_wait_in_a_loop() {
    let repaired = TEAM
        .replace("let is_done = done", "let mut is_done = done")
        .replace("if !*is_done {", "while !*is_done {")
        .replace("drop(done.changed.wait(is_done).unwrap());", "is_done = done.changed.wait(is_done).unwrap();");
    assert!(repaired.contains("while") && repaired.contains("is_done = done.changed"));
    silent_by_default(
        &library(&repaired),
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 2 entries (API items), 1984 schedules
              reached 2 of 2 lock sites, 2 concurrently; 1 of 1 channel site, 1 concurrently; nothing left out
              calls from two threads: 1 of 1 pair at once
        status: 0
    "#]],
    );
}

/// A callback that a type keeps for its own lifetime lives longer than the call.
#[test]
fn what_is_kept_longer() {
    silent_by_default(
        &library(
            "
use std::sync::Mutex;

pub struct Hooks<'a> {
    hooks: Mutex<Vec<Box<dyn FnMut() + Send + 'a>>>,
}

impl<'a> Hooks<'a> {
    pub fn new() -> Hooks<'a> {
        Hooks { hooks: Mutex::default() }
    }
    pub fn add(&self, hook: impl FnMut() + Send + 'a) {
        self.hooks.lock().unwrap().push(Box::new(hook));
    }
    pub fn run(&self) {
        let mut hooks = std::mem::take(&mut *self.hooks.lock().unwrap());
        hooks.iter_mut().for_each(|hook| hook());
    }
}
",
        ),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 4410 schedules
                  reached 2 of 2 lock sites, 2 concurrently; nothing left out
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}
