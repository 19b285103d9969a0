//! Futures that are dropped before they are ready, so that other calls wait forever.

use super::{library, silent_by_default};
use expect_test::expect;

/// A place in a pool is taken before an `.await` and given back behind it.
const POOL: &str = "
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::sync::Mutex;
use std::task::{Poll, Waker};

/// Makes what a pool holds.
pub trait Manager: Send + Sync {
    /// Makes one.
    fn create(&self) -> impl Future<Output = u32> + Send;
}

struct State {
    free: u32,
    waiting: VecDeque<Waker>,
}

pub struct Pool<M> {
    manager: M,
    state: Mutex<State>,
}

struct Place<'a>(&'a Mutex<State>);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap();
        state.free += 1;
        let all = std::mem::take(&mut state.waiting);
        drop(state);
        all.into_iter().for_each(Waker::wake);
    }
}

impl<M: Manager> Pool<M> {
    pub fn new(manager: M) -> Pool<M> {
        Pool { manager, state: Mutex::new(State { free: 1, waiting: VecDeque::new() }) }
    }
    /// Makes a value at a place.
    pub async fn with(&self) -> u32 {
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap();
            if state.free > 0 {
                state.free -= 1;
                return Poll::Ready(());
            }
            state.waiting.push_back(context.waker().clone());
            Poll::Pending
        })
        .await;
        let made = self.manager.create().await;
        drop(Place(&self.state));
        made
    }
}
";

#[test]
fn what_a_dropped_future_has_taken() {
    library(POOL).expect(
        &["check", "--no-cache", "--format", "short", "."],
        &expect![[r#"
            stdout:
            src/lib.rs:41:9: error[deadlock]: thread 1 waits for the future of `Pool::with`, which nobody wakes
            src/lib.rs:40:18: error[deadlock]: the caller waits for the future of `Pool::with`, which nobody wakes; thread 1 waits for the future of `Pool::with`, which nobody wakes
            stderr:
            shop: 2 bugs. 2 entries (API items), 104 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 2 of 2 await sites, 2 concurrently
                  stopped: a call waits for something that no other thread provides (24 of 104 schedules)
                  calls from two threads: 1 of 1 pair at once
                  uninterpreted: a value from outside the program (src/lib.rs:51:20)
            status: 1
        "#]],
    );
    let (stdout, stderr, _) = library(POOL).output(&["check", "--no-cache", "."]);
    assert!(stdout.contains("drops the future of Pool::with, which is not ready"), "{stdout}{stderr}");
    assert!(stdout.contains("give it back in the `drop` of a guard"), "{stdout}{stderr}");
}

#[test]
fn a_guard_gives_it_back() {
    let guarded = POOL
        .replace("let made = self.manager", "let place = Place(&self.state);\n        let made = self.manager")
        .replace("drop(Place(&self.state));", "drop(place);");
    assert!(guarded.contains("drop(place);"));
    silent_by_default(
        &library(&guarded),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 1604 schedules
                  reached 2 of 2 lock sites, 2 concurrently; 2 of 2 await sites, 2 concurrently
                  stopped: a call waits for something that no other thread provides (285 of 1604 schedules)
                  calls from two threads: 1 of 1 pair at once
                  uninterpreted: a value from outside the program (src/lib.rs:52:20)
            status: 0
        "#]],
    );
}

#[test]
fn the_documentation_speaks_of_it() {
    let documented = POOL.replace("/// Makes a value at a place.", "/// Makes a value at a place. Not cancel safe.");
    let (stdout, stderr, status) = library(&documented).output(&["check", "--no-cache", "--format", "short", "."]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

/// Without the dropped call, nobody sends.
#[test]
fn a_message_that_is_not_sent() {
    let text = "
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Mutex;
use std::task::{Poll, Waker};

#[derive(Default)]
struct State {
    messages: VecDeque<u32>,
    waiting: Vec<Waker>,
    yielded: bool,
}

#[derive(Default)]
pub struct Channel(Mutex<State>);

impl Channel {
    pub fn new() -> Channel {
        Channel::default()
    }
    pub async fn send(&self, message: u32) {
        poll_fn(|context| {
            let mut state = self.0.lock().unwrap();
            if std::mem::replace(&mut state.yielded, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let mut state = self.0.lock().unwrap();
        state.yielded = false;
        state.messages.push_back(message);
        let all = std::mem::take(&mut state.waiting);
        drop(state);
        all.into_iter().for_each(Waker::wake);
    }
    pub async fn receive(&self) -> u32 {
        poll_fn(|context| {
            let mut state = self.0.lock().unwrap();
            if let Some(message) = state.messages.pop_front() {
                return Poll::Ready(message);
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}
";
    let (stdout, stderr, status) = library(text).output(&["check", "--no-cache", "--format", "short", "."]);
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("a call waits for something that no other thread provides"), "{stderr}");
}
