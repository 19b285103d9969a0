//! Calls that wait forever without any other call, under some schedules: a thread of the library lets them down.

use super::{library, silent_by_default};
use expect_test::expect;

/// A worker wakes the caller while it still has the lock that the caller only tries to take.
const WORKER: &str = "
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// Runs functions on a thread of its own.
pub struct Worker {
    jobs: Sender<Job>,
}

#[derive(Default)]
struct State {
    result: Mutex<Option<u32>>,
    waker: Mutex<Option<Waker>>,
}

/// The future of a function's result.
pub struct Running {
    state: Arc<State>,
}

impl Worker {
    pub fn new() -> Worker {
        let (jobs, received) = channel::<Job>();
        thread::spawn(move || received.into_iter().for_each(|job| job()));
        Worker { jobs }
    }

    pub fn run(&self, what: impl FnOnce() -> u32 + Send + 'static) -> Running {
        let state = Arc::new(State::default());
        let of_job = state.clone();
        let job = move || {
            let mut result = of_job.result.lock().unwrap();
            *result = Some(what());
            if let Some(waker) = of_job.waker.lock().unwrap().take() {
                waker.wake();
            }
        };
        let _ = self.jobs.send(Box::new(job));
        Running { state }
    }

    pub fn is_known(&self) -> bool {
        true
    }
}

impl Future for Running {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        *self.state.waker.lock().unwrap() = Some(context.waker().clone());
        match self.state.result.try_lock().ok().and_then(|mut result| result.take()) {
            Some(result) => Poll::Ready(result),
            None => Poll::Pending,
        }
    }
}
";

#[test]
fn a_thread_of_the_library_wakes_too_early() {
    let (stdout, stderr, status) = library(WORKER).output(&["check", "--no-cache", "."]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    let expected = "error[deadlock]: the caller waits forever for the future of `Worker::run`, which nobody wakes";
    assert!(stdout.contains(expected), "{stdout}{stderr}");
    // The other calls have nothing to do with it.
    assert!(stdout.contains("= called: `Worker::new`, then `Worker::run`\n"), "{stdout}");
    assert!(!stdout.contains("Worker::is_known"), "{stdout}");
}

#[test]
fn it_wakes_behind_the_lock() {
    let repaired = WORKER.replace(
        "if let Some(waker) = of_job.waker",
        "drop(result);
            if let Some(waker) = of_job.waker",
    );
    assert_ne!(repaired, WORKER);
    silent_by_default(
        &library(&repaired),
        &expect![[r#"
        stdout:
        stderr:
        shop: no bug found. 4 entries (API items), 2150 schedules
              reached 4 of 4 lock sites, 4 concurrently; 1 of 1 channel site, 1 concurrently; nothing left out
              calls from two threads: 2 of 3 pairs at once
        status: 0
    "#]],
    );
}

/// The next change may never come: this is what a caller asks for.
#[test]
fn a_wait_for_what_the_library_does_by_itself() {
    silent_by_default(
        &library(
            "
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

#[derive(Default)]
struct State {
    version: u32,
    waiting: Vec<Waker>,
}

/// Settings that a thread reads once more after the start.
pub struct Settings {
    state: Arc<Mutex<State>>,
}

impl Settings {
    pub fn new() -> Settings {
        let state = Arc::new(Mutex::new(State::default()));
        let of_reader = state.clone();
        thread::spawn(move || {
            let mut state = of_reader.lock().unwrap();
            state.version += 1;
            let waiting = std::mem::take(&mut state.waiting);
            drop(state);
            waiting.into_iter().for_each(Waker::wake);
        });
        Settings { state }
    }

    /// Waits for the next change.
    pub async fn changed(&self) -> u32 {
        let known = self.version();
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap();
            if state.version != known {
                return Poll::Ready(state.version);
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    pub fn version(&self) -> u32 {
        self.state.lock().unwrap().version
    }
}
",
        ),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 2130 schedules
                  reached 3 of 3 lock sites, 3 concurrently; 1 of 1 await site, 1 concurrently
                  stopped: a call waits for something that no other thread provides (1483 of 2130 schedules)
                  calls from two threads: 3 of 3 pairs at once
            status: 0
        "#]],
    );
}
