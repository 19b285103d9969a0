//! Schedulers: at each point where it matters, which thread goes on (HSR's checker, ISSTA'18; the replay of runs by
//! what was chosen, RaceFuzzer, PLDI'08).
//!
//! Promised by every strategy, and tested for all of them: it returns one of the runnable threads, the same seed
//! gives the same choices, and the choices recorded replay the run without the strategy. A scheduler sees threads
//! and kinds of points, never memory (design §3.7).

mod random_walk;
mod schedule;

pub use random_walk::RandomWalk;
pub use schedule::{ParseScheduleError, Recorder, Replayer, Schedule};

use crate::clock::ThreadId;
use smallvec::SmallVec;

/// What the current thread is about to do, or has just done, at a point of choice.
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
    Sleep,
    /// A plain access, in deep and directed runs.
    Access,
    /// `yield_now`, `spin_loop`, or a loop that the machine takes for a busy wait.
    Yield,
    /// The current thread cannot go on.
    Blocked,
    /// The current thread has ended.
    ThreadEnd,
}

/// A strategy.
pub trait Scheduler {
    /// For reports and statistics.
    fn name(&self) -> &'static str;
    /// Begins a run; nothing of earlier runs matters.
    fn begin_run(&mut self, seed: u64);
    /// Chooses one of the `runnable` threads (in ascending order, at least one). `current` is the thread at the point,
    /// runnable or not.
    fn choose(&mut self, runnable: &[ThreadId], current: Option<ThreadId>, point: PointKind) -> ThreadId;
}

impl<S: Scheduler + ?Sized> Scheduler for Box<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn begin_run(&mut self, seed: u64) {
        (**self).begin_run(seed);
    }

    fn choose(&mut self, runnable: &[ThreadId], current: Option<ThreadId>, point: PointKind) -> ThreadId {
        (**self).choose(runnable, current, point)
    }
}

/// Keeps busy waits from eating a run: a thread that yields is passed over until another one has reached a point
/// where it did not yield, or all others yield too. Every strategy chooses among what this lets through.
#[derive(Clone, Default, Debug)]
pub(crate) struct Fairness {
    passed_over: SmallVec<[ThreadId; 4]>,
}

impl Fairness {
    /// The threads to choose from: some of `runnable`, at least one.
    pub(crate) fn candidates(
        &mut self,
        runnable: &[ThreadId],
        current: Option<ThreadId>,
        point: PointKind,
    ) -> SmallVec<[ThreadId; 8]> {
        match (point, current) {
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
