//! Schedulers choose the thread that runs next at each scheduling point (HSR's checker, ISSTA'18; replay from recorded
//! choices, RaceFuzzer, PLDI'08).
//!
//! Guarantees of every strategy, tested for all: it returns one of the offered threads, the same seed yields the same
//! choices, and the recorded choices replay the run without the strategy. A scheduler sees threads and kinds of points,
//! never memory (invariant 7).

mod coarse;
mod delays;
mod early;
mod guided;
mod pct;
mod random_walk;
mod schedule;
mod serial;
mod sticky;
mod strategy;

pub use coarse::Coarse;
pub use delays::Delays;
pub use early::EarlyWakes;
pub use guided::{Guided, Segment};
pub use pct::Pct;
pub use random_walk::RandomWalk;
pub use schedule::{Note, ParseScheduleError, Recorder, Replayer, Schedule};
pub use serial::Serial;
pub use sticky::StickyRandomWalk;
pub use strategy::{Hints, Strategy, UnknownStrategy};

use crate::clock::ThreadId;
use smallvec::SmallVec;

/// What the current thread is about to do, or has just done, at a scheduling point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum PointKind {
    Spawn,
    Join,
    Lock,
    Unlock,
    Wait,
    Notify,
    Send,
    Receive,
    Park,
    Unpark,
    Await,
    Atomic,
    /// An owner of an `Arc` is dropped, in a run that counts owners.
    Owners,
    /// A harness is about to make one of its calls.
    Call,
    Sleep,
    /// `yield_now`, `spin_loop`, or a loop that the machine recognises as a busy wait.
    Yield,
    /// The current thread cannot continue.
    Blocked,
    /// The current thread has ended.
    ThreadEnd,
}

/// Which waits may end early. Every result is possible in a real run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum WakeUps {
    /// None: time passes when all threads wait, in the order of their deadlines as far as a
    /// [`Jitter`](crate::run::Jitter) leaves them in an order.
    #[default]
    Exact,
    /// Waits with a deadline: time may pass at any point, and late threads may be overtaken.
    AdversarialTime,
    /// Waits for a notification or an unpark, while another thread runs.
    Spurious,
}

/// A scheduling point.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The threads that can run, in ascending order; at least one.
    pub runnable: &'a [ThreadId],
    /// Waiting threads whose wait may end early ([`WakeUps`]), in ascending order.
    pub early: &'a [ThreadId],
    /// The thread at the point; it may be in neither list.
    pub current: Option<ThreadId>,
    /// What it is about to do, or why it stops.
    pub kind: PointKind,
    /// Whether it holds a lock.
    pub holds: bool,
    /// Whether the synchronisation is a dependency's: the nearest code outside std is not in the workspace.
    pub of_dependency: bool,
}

impl Point<'_> {
    /// Whether a thread may be chosen.
    pub fn offers(&self, thread: ThreadId) -> bool {
        self.runnable.contains(&thread) || self.early.contains(&thread)
    }

    /// The default choice: the current thread continues while it can and does not yield, else the next one in turn.
    pub fn default_choice(&self) -> ThreadId {
        match self.current {
            Some(current) if self.kind != PointKind::Yield && self.runnable.contains(&current) => current,
            Some(current) => *self.runnable.iter().find(|thread| **thread > current).unwrap_or(&self.runnable[0]),
            None => self.runnable[0],
        }
    }
}

/// A strategy.
pub trait Scheduler {
    /// For reports and statistics.
    fn name(&self) -> &'static str;
    /// Starts a run; earlier runs have no effect.
    fn begin_run(&mut self, seed: u64);
    /// Chooses one of the threads that the point offers.
    fn choose(&mut self, point: &Point<'_>) -> ThreadId;
}

impl<S: Scheduler + ?Sized> Scheduler for Box<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn begin_run(&mut self, seed: u64) {
        (**self).begin_run(seed);
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        (**self).choose(point)
    }
}

/// Prevents busy waits from consuming a run: a thread that yields is skipped until another one has reached a point
/// without yielding, or all others yield too. Every strategy chooses among the candidates.
#[derive(Clone, Default, Debug)]
pub(crate) struct Fairness {
    passed_over: SmallVec<[ThreadId; 4]>,
}

impl Fairness {
    /// The candidates: some of the runnable threads, at least one.
    pub(crate) fn candidates(&mut self, point: &Point<'_>) -> SmallVec<[ThreadId; 8]> {
        let &Point { runnable, current, .. } = point;
        match (point.kind, current) {
            (PointKind::Yield, Some(current)) if !self.passed_over.contains(&current) => {
                self.passed_over.push(current);
            }
            (PointKind::Yield, _) => {}
            _ => self.passed_over.clear(),
        }
        let eager = |thread: &&ThreadId| !self.passed_over.contains(thread);
        let mut candidates: SmallVec<[ThreadId; 8]> = runnable.iter().filter(eager).copied().collect();
        if candidates.is_empty() {
            self.passed_over.clear();
            let others = |thread: &&ThreadId| runnable.len() == 1 || Some(**thread) != current;
            candidates.extend(runnable.iter().filter(others).copied());
        }
        candidates
    }
}

#[cfg(test)]
mod tests;
