//! Correct code without findings: intended blocking, values with invariants, calls that take what others wait for.

use super::{library, program, short, silent_by_default};
use expect_test::expect;

/// Calls in sequence may wait for another caller, and hold what they took until the next call.
#[test]
fn what_a_harness_does_to_itself_is_no_finding() {
    let folder = library(
        "
use std::collections::VecDeque;
use std::sync::{Arc, Barrier, Condvar, Mutex, MutexGuard};
use std::thread;

#[derive(Default)]
pub struct Queue { items: Mutex<VecDeque<u32>>, filled: Condvar }

impl Queue {
    pub fn new() -> Queue { Queue::default() }
    pub fn pop(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        loop {
            match items.pop_front() {
                Some(item) => return item,
                None => items = self.filled.wait(items).unwrap(),
            }
        }
    }
    pub fn push(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.filled.notify_one();
    }
}

/// Holds the lock until the next call.
pub struct Keeper { of: &'static Mutex<u32>, kept: Option<MutexGuard<'static, u32>> }

static KEPT: Mutex<u32> = Mutex::new(0);

impl Keeper {
    pub fn new() -> Keeper { Keeper { of: &KEPT, kept: None } }
    pub fn keep(&mut self) { self.kept = Some(self.of.lock().unwrap()); }
    pub fn peek(&self) -> u32 { *KEPT.lock().unwrap() }
    pub fn let_go(&mut self) { self.kept = None; }
}

/// Returns once `parties - 1` others have met.
pub fn meet(parties: usize) {
    let barrier = Arc::new(Barrier::new(parties + 1));
    let others: Vec<_> = (1..parties).map(|_| { let barrier = barrier.clone(); thread::spawn(move || { barrier.wait(); }) }).collect();
    barrier.wait();
    for other in others { other.join().unwrap(); }
}

/// The number must be at least two.
pub fn halves(parts: usize) -> Vec<thread::JoinHandle<usize>> {
    assert!(parts > 1, \"too few\");
    (0..parts).map(|part| thread::spawn(move || part / (parts - 1))).collect()
}
",
    );
    short(
        &folder,
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 7 entries (API items), 2290 schedules
                  reached 4 of 4 lock sites, 3 concurrently
                  stopped: a call waits for something that no other thread provides (991 of 2290 schedules)
                  calls from two threads: 7 of 7 pairs at once
            status: 0
        "#]],
    );
}

/// Only the callers know which values a private function accepts: a guard means that the lock is held, two indexes
/// differ.
#[test]
fn in_the_middle_values_mean_something() {
    let text = "
use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex, atomic::{AtomicBool, Ordering}};
use std::thread;

struct Lock { held: AtomicBool, value: UnsafeCell<u64> }
unsafe impl Sync for Lock {}
unsafe impl Send for Lock {}
impl Lock { fn new() -> Lock { Lock { held: AtomicBool::new(false), value: UnsafeCell::new(0) } } }
struct Held { of: Arc<Lock> }
impl Drop for Held { fn drop(&mut self) { self.of.held.store(false, Ordering::Release) } }
struct Part(Arc<Lock>);
fn lock(lock: &Arc<Lock>) -> Held {
    while lock.held.swap(true, Ordering::Acquire) { thread::yield_now() }
    Held { of: lock.clone() }
}
fn part(lock: &Arc<Lock>) -> Option<Part> { (!lock.held.swap(true, Ordering::Acquire)).then(|| Part(lock.clone())) }

fn work(held: Held) {
    let other = held.of.clone();
    let thread = thread::spawn(move || { let held = lock(&other); unsafe { *held.of.value.get() += 1 } });
    unsafe { *held.of.value.get() += 1 }
    drop(held);
    thread.join().unwrap();
}

fn finish(part: Part) {
    let other = part.0.clone();
    let thread = thread::spawn(move || { let held = lock(&other); unsafe { *held.of.value.get() += 1 } });
    unsafe { *part.0.value.get() += 1 }
    part.0.held.store(false, Ordering::Release);
    thread.join().unwrap();
}

fn settle(cells: Arc<Vec<Mutex<i64>>>, pairs: Vec<(usize, usize)>) {
    let one = |(a, b): (usize, usize)| {
        let cells = cells.clone();
        thread::spawn(move || {
            let mut from = cells[a].lock().unwrap();
            *cells[b].lock().unwrap() += 1;
            *from -= 1;
        })
    };
    for thread in pairs.into_iter().map(one).collect::<Vec<_>>() { thread.join().unwrap() }
}

fn main() {
    if std::env::args().count() == 57 {
        let shared = Arc::new(Lock::new());
        work(lock(&shared));
        if let Some(part) = part(&shared) { finish(part) }
        settle(Arc::new((0..4).map(|_| Mutex::new(0)).collect()), vec![(0, 1), (2, 3)]);
    }
}
";
    short(
        &program(text),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 4 entries (1 program, 3 in the middle), 502 schedules
                  reached 0 of 2 lock sites, 0 concurrently; 0 of 4 atomic sites, 0 concurrently; 1 of 3 spawn sites, 1 concurrently
                  not called: 2 items, such as `work`: no value of `Held` can be made
                  uninterpreted: a value from outside the program (src/main.rs:48:8)
                                 `cells` of `settle`[0], an argument known only to its callers
                                 `cells` of `settle`[1], an argument known only to its callers
                                 4 more causes
            status: 0
        "#]],
    );
}

/// One of several calls may take what another waits for.
#[test]
fn calls_may_take_what_others_wait_for() {
    let text = "
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

pub struct Results { sender: Sender<u32>, receiver: Receiver<u32> }

impl Results {
    pub fn new() -> Results { let (sender, receiver) = channel(); Results { sender, receiver } }
    pub fn compute(&self, of: u32) {
        let sender = self.sender.clone();
        thread::spawn(move || { let _ = sender.send(of.wrapping_mul(of)); });
    }
    pub fn poll(&self) -> Option<u32> { self.receiver.try_recv().ok() }
    pub fn wait(&self) -> u32 { self.receiver.recv().unwrap() }
}
";
    silent_by_default(
        &library(text),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 2 entries (API items), 264 schedules
                  reached 3 of 3 channel sites, 3 concurrently
                  stopped: a call waits for something that no other thread provides (178 of 264 schedules)
            status: 0
        "#]],
    );
}
