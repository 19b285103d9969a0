//! Harnesses whose callbacks call the object that they were given to.

use super::{CHECK, library, short, silent};
use expect_test::expect;

const CACHE: &str = "
use std::collections::HashMap;
use std::sync::Mutex;

/// Keeps what was made.
#[derive(Default)]
pub struct Cache {
    made: Mutex<HashMap<u32, u64>>,
}

impl Cache {
    pub fn new() -> Cache {
        Cache::default()
    }
    /// Gives the value of a key, which is made if there is none.
    pub fn get_or_make(&self, key: u32, make: impl FnOnce(&u32) -> u64) -> u64 {
        let mut made = self.made.lock().unwrap();
        *made.entry(key).or_insert_with(|| make(&key))
    }
    pub fn len(&self) -> usize {
        self.made.lock().unwrap().len()
    }
}
";

#[test]
fn a_callback_that_calls_the_object_under_its_lock() {
    short(
        &library(CACHE),
        &expect![[r#"
            stdout:
            src/lib.rs:17:24: error[deadlock]: the caller waits for `Cache.made`, which it holds itself (with src/lib.rs:21:9)
            stderr:
            shop: 1 bug. 2 entries (API items), 29 schedules
                  reached 2 of 2 lock sites, 2 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  uninterpreted: a value from outside the program (src/lib.rs:18:44)
            status: 1
        "#]],
    );
}

#[test]
fn a_report_says_which_callback_calls_what() {
    let (stdout, stderr, _) = library(CACHE).output(&[&CHECK[..], &["."]].concat());
    let called = "called: `Cache::new`, then `Cache::get_or_make`; a callback of `Cache::get_or_make` calls";
    assert!(stdout.contains(called), "{stdout}{stderr}");
}

/// The guard is released before the outer call of the closure, not before the inner call's lock.
#[test]
fn a_callback_that_calls_the_same_function() {
    let only = CACHE.split("    pub fn len").next().unwrap();
    let (stdout, stderr, _) = library(&format!("{only}}}\n")).output(&[&CHECK[..], &["."]].concat());
    assert!(stdout.contains("`Cache::get_or_make` calls `Cache::get_or_make`"), "{stdout}{stderr}");
    assert!(!stdout.contains("before waiting"), "{stdout}");
}

#[test]
fn callbacks_without_a_lock() {
    let unlocked = CACHE.replace(
        "let mut made = self.made.lock().unwrap();
        *made.entry(key).or_insert_with(|| make(&key))",
        "if let Some(known) = self.made.lock().unwrap().get(&key) {
            return *known;
        }
        let value = make(&key);
        *self.made.lock().unwrap().entry(key).or_insert(value)",
    );
    assert_ne!(unlocked, CACHE);
    silent(
        &library(&unlocked),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 635 schedules
                  reached 3 of 3 lock sites, 3 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  uninterpreted: a value from outside the program (src/lib.rs:20:21)
            status: 0
        "#]],
    );
}

#[test]
fn docs_that_forbid_it_are_respected() {
    let of_function = CACHE.replace("if there is none.", "if there is none. Calling the cache there is a deadlock.");
    let of_lock = CACHE.replace("if there is none.", "if there is none. Others wait for the lock meanwhile.");
    let of_type = CACHE.replace("Keeps what was made.", "Keeps what was made. It is not reentrant.");
    let of_crate = format!("//! Callbacks must not be recursive.\n{CACHE}");
    for library_of in [of_function, of_lock, of_type, of_crate] {
        assert_ne!(library_of, CACHE);
        let folder = library(&library_of);
        let (stdout, stderr, status) = folder.output(&[&CHECK[..], &["--possible", "."]].concat());
        assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    }
}

const QUEUE: &str = "
use std::future::poll_fn;
use std::sync::Mutex;
use std::task::{Poll, Waker};

#[derive(Default)]
struct State {
    items: Vec<u32>,
    wakers: Vec<Waker>,
}

#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
}

impl Queue {
    pub fn new() -> Queue {
        Queue::default()
    }
    pub fn push(&self, item: u32) {
        let mut state = self.state.lock().unwrap();
        state.items.push(item);
        for waker in std::mem::take(&mut state.wakers) {
            waker.wake();
        }
    }
    pub async fn pop(&self) -> u32 {
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap();
            match state.items.pop() {
                Some(item) => Poll::Ready(item),
                None => {
                    state.wakers.push(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
    pub fn len(&self) -> usize {
        self.state.lock().unwrap().items.len()
    }
}
";

/// An executor may run a task at once when it is woken.
#[test]
fn a_waker_that_is_woken_under_a_lock() {
    let (stdout, stderr, status) = library(QUEUE).output(&[&CHECK[..], &["."]].concat());
    let title = "waits for `Queue.state`, which it holds itself";
    assert!(stdout.contains(title) && status == 1, "{stdout}{stderr}");
    assert!(stdout.contains("; a waker that `Queue::push` wakes calls `Queue::"), "{stdout}");
    let unlocked = QUEUE.replace(
        "for waker in std::mem::take(&mut state.wakers) {",
        "let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        for waker in wakers {",
    );
    assert_ne!(unlocked, QUEUE);
    let (stdout, stderr, status) = library(&unlocked).output(&[&CHECK[..], &["--possible", "."]].concat());
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
}

/// Two calls each have a place, and their callbacks each wait for another one. No library can help there.
#[test]
fn a_callback_that_takes_another_place() {
    const PLACES: &str = "
use std::sync::{Condvar, Mutex};

/// A few places in which something can be done.
pub struct Places {
    free: Mutex<u32>,
    freed: Condvar,
}

impl Default for Places {
    fn default() -> Places {
        Places { free: Mutex::new(2), freed: Condvar::new() }
    }
}

impl Places {
    /// Does something in a place.
    pub fn within(&self, act: impl FnOnce() -> u32) -> u32 {
        let mut free = self.free.lock().unwrap();
        while *free == 0 {
            free = self.freed.wait(free).unwrap();
        }
        *free -= 1;
        drop(free);
        let done = act();
        *self.free.lock().unwrap() += 1;
        self.freed.notify_one();
        done
    }
}
";
    let (stdout, stderr, status) = library(PLACES).output(&[&CHECK[..], &["--format", "short", "."]].concat());
    assert_eq!((stdout.as_str(), status), ("", 0), "{stderr}");
    assert!(stderr.contains("stopped: a call waits for something that no other thread provides"), "{stderr}");
}
