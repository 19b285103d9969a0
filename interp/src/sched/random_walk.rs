//! Random walk: all runnable threads are equally likely at each point (HSR's checker, ISSTA'18).

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, Scheduler};

/// The random walk.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    rng: Rng,
    fairness: Fairness,
}

impl RandomWalk {
    /// A random walk.
    pub fn new() -> RandomWalk {
        RandomWalk { rng: Rng::new(0), fairness: Fairness::default() }
    }
}

impl Default for RandomWalk {
    fn default() -> RandomWalk {
        RandomWalk::new()
    }
}

impl Scheduler for RandomWalk {
    fn name(&self) -> &'static str {
        "random-walk"
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let candidates = self.fairness.candidates(point);
        match candidates[..] {
            [only] => only,
            _ => candidates[self.rng.index(candidates.len())],
        }
    }
}
