//! Sticky random walk: a random walk in which the current thread mostly continues. It finds bugs that need one thread
//! to run far before another starts. Its probability is drawn for each run, because programs differ in the number of
//! points between two relevant ones.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, Scheduler};

/// One in this many points is a draw among all threads; each run uses one of these.
const STRIDES: [u32; 3] = [4, 8, 24];

/// The sticky random walk.
#[derive(Clone, Debug)]
pub struct StickyRandomWalk {
    rng: Rng,
    fairness: Fairness,
    stride: u32,
}

impl StickyRandomWalk {
    /// A sticky random walk.
    pub fn new() -> StickyRandomWalk {
        StickyRandomWalk { rng: Rng::new(0), fairness: Fairness::default(), stride: STRIDES[0] }
    }
}

impl Default for StickyRandomWalk {
    fn default() -> StickyRandomWalk {
        StickyRandomWalk::new()
    }
}

impl Scheduler for StickyRandomWalk {
    fn name(&self) -> &'static str {
        "sticky"
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
        self.stride = STRIDES[self.rng.index(STRIDES.len())];
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let candidates = self.fairness.candidates(point);
        if let [only] = candidates[..] {
            return only;
        }
        if let Some(current) = point.current.filter(|current| candidates.contains(current))
            && !self.rng.chance(1, self.stride)
        {
            return current;
        }
        candidates[self.rng.index(candidates.len())]
    }
}
