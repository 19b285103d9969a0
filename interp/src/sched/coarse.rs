//! Coarse points: most internal synchronisation of dependencies is no scheduling point. A runtime or a thread pool has
//! hundreds of such points between two of the program's, and a walk that chooses at each of them rarely stops a thread
//! where it matters. Waits, yields and ends of threads are always points.
//!
//! All choices are recorded, including default ones, so a schedule replays without this wrapper.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Point, PointKind, Scheduler};

/// One in this many points of dependencies is a scheduling point.
const STRIDE: u32 = 32;

/// After this many skipped points, a thread counts as yielding: an idle event loop never reaches a point of the
/// program's.
const PATIENCE: u32 = 100;

/// A strategy with coarse points.
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
