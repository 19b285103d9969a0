//! Delays: a random walk that mostly delays a thread before certain operations, until all others are delayed or wait,
//! or for a number of points. Operations that rarely coincide then meet (the delays of TSVD, SOSP'19, and RaceFuzzer,
//! PLDI'08, at synchronisation instead of calls and accesses).

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, PointKind, Scheduler};
use smallvec::SmallVec;

/// The probability of a delay; 1 would miss bugs that need one thread to pass.
const PUT_OFF: (u32, u32) = (7, 8);
/// Maximum number of points that a delay lasts; each run uses one of these. Otherwise a thread that spins without
/// yielding could delay another one forever.
const LENGTHS: [u32; 2] = [16, 400];

/// The operations before which threads are delayed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum DelayTargets {
    /// Taking a lock while holding one: leads to cycles of many locks, which a random walk hardly ever reaches.
    NestedLocks,
    /// One kind of point for each run, among those of the program; for about half of the threads.
    OneOf(SmallVec<[PointKind; 8]>),
}

/// The random walk with delays.
#[derive(Clone, Debug)]
pub struct Delays {
    kinds: DelayTargets,
    rng: Rng,
    fairness: Fairness,
    /// The kind chosen for this run, if any.
    kind: Option<PointKind>,
    /// Whether delays affect a thread, by number; drawn when the thread first gets there.
    concerned: Vec<bool>,
    length: u32,
    seen: u32,
    /// The delayed threads, and until when.
    put_off: SmallVec<[(ThreadId, u32); 8]>,
}

impl Delays {
    /// Delays threads that take a second lock.
    pub fn nested_locks() -> Delays {
        Delays::new(DelayTargets::NestedLocks)
    }

    /// Delays half of the threads at one of these kinds of points, chosen anew for each run.
    pub fn one_of(kinds: &[PointKind]) -> Delays {
        Delays::new(DelayTargets::OneOf(kinds.into()))
    }

    fn new(kinds: DelayTargets) -> Delays {
        Delays {
            kinds,
            rng: Rng::new(0),
            fairness: Fairness::default(),
            kind: None,
            concerned: Vec::new(),
            length: LENGTHS[0],
            seen: 0,
            put_off: SmallVec::new(),
        }
    }

    fn is_concerned(&mut self, thread: ThreadId, point: &Point<'_>) -> bool {
        if self.kinds == DelayTargets::NestedLocks {
            return point.kind == PointKind::Lock && point.holds;
        }
        if self.kind != Some(point.kind) {
            return false;
        }
        while self.concerned.len() <= thread.index() {
            self.concerned.push(self.rng.chance(1, 2));
        }
        self.concerned[thread.index()]
    }
}

impl Scheduler for Delays {
    fn name(&self) -> &'static str {
        match self.kinds {
            DelayTargets::NestedLocks => "nested-locks",
            DelayTargets::OneOf(_) => "delays",
        }
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
        self.concerned.clear();
        self.put_off.clear();
        self.seen = 0;
        self.length = LENGTHS[self.rng.index(LENGTHS.len())];
        self.kind = match &self.kinds {
            DelayTargets::OneOf(kinds) if !kinds.is_empty() => Some(kinds[self.rng.index(kinds.len())]),
            DelayTargets::OneOf(_) | DelayTargets::NestedLocks => None,
        };
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        self.seen = self.seen.saturating_add(1);
        let seen = self.seen;
        self.put_off.retain(|(_, until)| *until > seen);
        if let Some(current) = point.current
            && !self.put_off.iter().any(|(thread, _)| *thread == current)
            && self.is_concerned(current, point)
            && self.rng.chance(PUT_OFF.0, PUT_OFF.1)
        {
            self.put_off.push((current, seen.saturating_add(self.length)));
        }
        let candidates = self.fairness.candidates(point);
        let is_put_off = |thread: &ThreadId| self.put_off.iter().any(|(it, _)| it == thread);
        let others: SmallVec<[ThreadId; 8]> = candidates.iter().copied().filter(|it| !is_put_off(it)).collect();
        let from = if others.is_empty() { &candidates } else { &others };
        let chosen = from[self.rng.index(from.len())];
        self.put_off.retain(|(thread, _)| *thread != chosen);
        chosen
    }
}
