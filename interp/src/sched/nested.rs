//! Nested locks: as the random walk, but a thread that holds a lock and is about to take another one is mostly put off
//! until all others are too, or wait. What several threads hold and want then meets: a cycle of many locks, which a walk
//! hardly ever gets to (the delays of RaceFuzzer, PLDI'08, at locks instead of racing accesses).

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, PointKind, Scheduler};
use smallvec::SmallVec;

/// A thread is put off in so many of so many cases; never to do so would miss what needs one to go through.
const PUT_OFF: (u32, u32) = (7, 8);

/// The walk that puts off nested locks.
#[derive(Clone, Debug)]
pub struct NestedLocks {
    rng: Rng,
    fairness: Fairness,
    put_off: SmallVec<[ThreadId; 8]>,
}

impl NestedLocks {
    /// Seeded by each run.
    pub fn new() -> NestedLocks {
        NestedLocks { rng: Rng::new(0), fairness: Fairness::default(), put_off: SmallVec::new() }
    }
}

impl Default for NestedLocks {
    fn default() -> NestedLocks {
        NestedLocks::new()
    }
}

impl Scheduler for NestedLocks {
    fn name(&self) -> &'static str {
        "nested-locks"
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
        self.put_off.clear();
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        if let Some(current) = point.current
            && point.kind == PointKind::Lock
            && point.holds
            && !self.put_off.contains(&current)
            && self.rng.chance(PUT_OFF.0, PUT_OFF.1)
        {
            self.put_off.push(current);
        }
        let candidates = self.fairness.candidates(point);
        let others = candidates.iter().filter(|thread| !self.put_off.contains(thread)).copied();
        let others: SmallVec<[ThreadId; 8]> = others.collect();
        let from = if others.is_empty() { &candidates } else { &others };
        let chosen = from[self.rng.index(from.len())];
        self.put_off.retain(|thread| *thread != chosen);
        chosen
    }
}
