//! Harnesses whose futures are polled by one waker and then another, or dropped half-way.

use super::{library, silent_by_default};
use expect_test::expect;

const GATE: &str = "
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// One may be inside, and leaves when the `Pass` is dropped.
pub struct Gate {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_taken: bool,
    next: u64,
    waiting: VecDeque<(u64, Waker)>,
}

impl Gate {
    pub fn new() -> Gate {
        Gate { state: Mutex::default() }
    }
    pub fn enter(&self) -> Enter<'_> {
        Enter { gate: self, id: None }
    }
    fn wake_next(&self) {
        let next = self.state.lock().unwrap().waiting.pop_front();
        if let Some((_, waker)) = next {
            waker.wake();
        }
    }
}

pub struct Pass<'a>(&'a Gate);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap().is_taken = false;
        self.0.wake_next();
    }
}

pub struct Enter<'a> {
    gate: &'a Gate,
    id: Option<u64>,
}

impl<'a> Future for Enter<'a> {
    type Output = Pass<'a>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Pass<'a>> {
        let gate = self.gate;
        let mut state = gate.state.lock().unwrap();
        let place = state.waiting.iter().position(|(id, _)| Some(*id) == self.id);
        if !state.is_taken {
            state.is_taken = true;
            place.map(|place| state.waiting.remove(place));
            self.id = None;
            return Poll::Ready(Pass(gate));
        }
        match place {
            Some(place) => state.waiting[place].1 = context.waker().clone(),
            None => {
                let id = state.next;
                state.next += 1;
                state.waiting.push_back((id, context.waker().clone()));
                self.id = Some(id);
            }
        }
        Poll::Pending
    }
}

impl Drop for Enter<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let mut state = self.gate.state.lock().unwrap();
        match state.waiting.iter().position(|(it, _)| *it == id) {
            Some(place) => drop(state.waiting.remove(place)),
            None if !state.is_taken => {
                drop(state);
                self.gate.wake_next();
            }
            None => {}
        }
    }
}
";

/// The one who leaves wakes a future that is gone, not the next one. Few schedules show it.
#[test]
fn a_dropped_future_stays_in_the_queue() {
    let (wrong, _) = GATE.split_once("impl Drop for Enter").expect("it is the last item");
    library(wrong).expect(&["check", "--no-cache", "--runs", "400", "."], &expect![[r#"
        stdout:
        error[deadlock]: thread 1 waits forever for the future of `Gate::enter`, which nobody wakes
          --> src/lib.rs:24:12
           |
        24 |     pub fn enter(&self) -> Enter<'_> {
           |            ^^^^^ thread 1 waits here for the future of `Gate::enter`, which nobody wakes
           |
           = how it happens:
               the caller                                                            thread 1
             1            starts thread 1
             2 lib.rs:24  drops the future of Gate::enter, which is not ready
             3 lib.rs:24  drops the future of Gate::enter, which is not ready
             4                                                                       lib.rs:24  parks  -- it never goes on
           = the caller: Gate::enter (lib.rs:24)
           = thread 1:   Gate::enter (lib.rs:24)
           = fix: what a future has taken before an `.await` is lost if it is dropped there: give it back in the `drop` of a guard
           = called: `Gate::new`, then `Gate::enter` from two threads
           = certain: it depends on no unknown value. 3 of 400 schedules hang here
           = replay: tsvd-check replay d90ee9    explain: tsvd-check explain deadlock
             as a test: tsvd-check replay d90ee9 --as miri
             allow:  // tsvd: allow(deadlock, reason = "...")

        stderr:
        shop: 1 bug. 6 entries (API items), 804 schedules
              reached 3 of 3 lock sites, 3 concurrently
              calls from two threads: 1 of 1 pair at once
              not called: 1 item, such as `Pass`: no value of `Pass` can be made
              4 entries got fewer than 400 schedules: no thread starts, so all schedules are the same
        status: 1
    "#]]);
}

#[test]
fn a_future_that_keeps_its_first_waker() {
    let wrong = GATE.replace("Some(place) => state.waiting[place].1 = context.waker().clone(),", "Some(_) => {}");
    library(&wrong).expect(
        &["check", "--no-cache", "."],
        &expect![[r#"
            stdout:
            error[deadlock]: thread 1 waits forever for the future of `Gate::enter`, which nobody wakes
              --> src/lib.rs:24:12
               |
            24 |     pub fn enter(&self) -> Enter<'_> {
               |            ^^^^^ thread 1 waits here for the future of `Gate::enter`, which nobody wakes
               |
               = how it happens:
                   thread 1
                 1 lib.rs:24  polls the future of Gate::enter with a waker that it replaces later
                 2 lib.rs:24  parks  -- it never goes on
               = thread 1: Gate::enter (lib.rs:24)
               = called: `Gate::new`, then `Gate::enter` from two threads
               = certain: it depends on no unknown value. 4 of 100 schedules hang here
               = replay: tsvd-check replay 7b0804    explain: tsvd-check explain deadlock
                 as a test: tsvd-check replay 7b0804 --as miri
                 allow:  // tsvd: allow(deadlock, reason = "...")

            stderr:
            shop: 1 bug. 6 entries (API items), 310 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  calls from two threads: 1 of 1 pair at once
                  not called: 1 item, such as `Pass`: no value of `Pass` can be made
            status: 1
        "#]],
    );
}

#[test]
fn a_gate_that_is_right_is_silent() {
    silent_by_default(
        &library(GATE),
        &expect![[r#"
            stdout:
            stderr:
            shop: no bug found. 6 entries (API items), 1832 schedules
                  reached 4 of 4 lock sites, 4 concurrently
                  calls from two threads: 1 of 1 pair at once
                  not called: 1 item, such as `Pass`: no value of `Pass` can be made
            status: 0
        "#]],
    );
}
