//! Random walk: each runnable thread is equally likely at each point (HSR's checker, ISSTA'18). The sticky kind stays
//! with the current thread most of the time, and so finds bugs that need one thread to go far before another starts.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, PointKind, Scheduler};

/// The random walk.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    rng: Rng,
    fairness: Fairness,
    /// How often of 16 points the current thread goes on without a draw among all.
    stay: u32,
}

impl RandomWalk {
    /// Every thread is equally likely.
    pub fn new() -> RandomWalk {
        RandomWalk { rng: Rng::new(0), fairness: Fairness::default(), stay: 0 }
    }

    /// The current thread goes on at three of four points where it can.
    pub fn sticky() -> RandomWalk {
        RandomWalk { stay: 12, ..RandomWalk::new() }
    }
}

impl Default for RandomWalk {
    fn default() -> RandomWalk {
        RandomWalk::new()
    }
}

impl Scheduler for RandomWalk {
    fn name(&self) -> &'static str {
        if self.stay == 0 { "random-walk" } else { "sticky-random-walk" }
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
    }

    fn choose(&mut self, runnable: &[ThreadId], current: Option<ThreadId>, point: PointKind) -> ThreadId {
        let candidates = self.fairness.candidates(runnable, current, point);
        if let [only] = candidates[..] {
            return only;
        }
        if let Some(current) = current.filter(|current| self.stay > 0 && candidates.contains(current))
            && self.rng.chance(self.stay, 16)
        {
            return current;
        }
        candidates[self.rng.index(candidates.len())]
    }
}
