//! Coarse points: what a dependency synchronises for purposes of its own is mostly no point of choice. A runtime or a pool
//! has hundreds of such points between two of the program's, and a walk that chooses at each of them rarely stops a thread
//! where it matters. That a thread waits, yields or ends is a point anywhere.
//!
//! All choices are recorded, also those that are none here, so that a schedule replays without this.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Point, PointKind, Scheduler};

/// One of so many points of dependencies is one all the same.
const STRIDE: u32 = 32;

/// After so many that were none a thread counts as one that yields: an event loop that nobody has work for never comes to a
/// point of the program's.
const PATIENCE: u32 = 100;

/// Another strategy at coarse points.
#[derive(Debug)]
pub struct Coarse<S> {
    inner: S,
    rng: Rng,
    passed: u32,
}

impl<S: Scheduler> Coarse<S> {
    /// Asks `inner` at the program's own points.
    pub fn new(inner: S) -> Coarse<S> {
        Coarse { inner, rng: Rng::new(0), passed: 0 }
    }
}

impl<S: Scheduler> Scheduler for Coarse<S> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::with_stream(seed, 3);
        self.passed = 0;
        self.inner.begin_run(seed);
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let goes_on = point.current.filter(|current| point.runnable.contains(current));
        if let Some(current) = goes_on.filter(|_| point.of_dependency && point.kind != PointKind::Yield) {
            self.passed += 1;
            if self.passed > PATIENCE {
                self.passed = 0;
                return self.inner.choose(&Point { kind: PointKind::Yield, ..*point });
            }
            if !self.rng.chance(1, STRIDE) {
                return current;
            }
        } else {
            self.passed = 0;
        }
        self.inner.choose(point)
    }
}
