//! Sticky random walk: as the random walk, but the current thread goes on most of the time. It finds bugs that need one
//! thread to go far before another starts. How often it stays is drawn anew for each run, since programs differ in how
//! many points lie between two that matter.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, Scheduler};

/// Of how many points one is a draw among all threads: one of these for a run.
const STRIDES: [u32; 3] = [4, 8, 24];

/// The sticky random walk.
#[derive(Clone, Debug)]
pub struct StickyRandomWalk {
    rng: Rng,
    fairness: Fairness,
    stride: u32,
}

impl StickyRandomWalk {
    /// Seeded by each run.
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
