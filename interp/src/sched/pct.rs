//! PCT: random priorities of threads, and a few points at which the running thread drops below all others (Burckhardt
//! et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS'10).
//!
//! In each run of n threads and k points, a bug that needs `depth` ordered events is found with probability at least
//! 1/(n·k^(depth-1)). Approximations: k is estimated from earlier runs; a thread that runs for very long without
//! blocking counts as a busy wait and also drops, since its run would otherwise end at the step bound.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, Scheduler};
use smallvec::SmallVec;

/// This many consecutive points of one thread, while others could run, count as a busy wait.
const PATIENCE: u32 = 400;

/// PCT with one depth.
#[derive(Clone, Debug)]
pub struct Pct {
    depth: u32,
    points: u32,
    rng: Rng,
    fairness: Fairness,
    /// The priority of each thread; the highest runs. Initial ones are random and at least 1, and practically distinct;
    /// a thread that drops gets the next one below 0.
    priorities: Vec<i64>,
    lowest: i64,
    /// Points at which the current thread drops, in descending order.
    changes: SmallVec<[u32; 4]>,
    seen: u32,
    /// The last chosen thread, and its number of consecutive choices.
    streak: (ThreadId, u32),
}

impl Pct {
    /// For bugs of `depth` ordered events, in runs of about `points` points.
    pub fn new(depth: u32, points: u32) -> Pct {
        Pct {
            depth: depth.max(1),
            points: points.max(1),
            rng: Rng::new(0),
            fairness: Fairness::default(),
            priorities: Vec::new(),
            lowest: 0,
            changes: SmallVec::new(),
            seen: 0,
            streak: (ThreadId::ENTRY, 0),
        }
    }

    fn priority(&mut self, thread: ThreadId) -> i64 {
        while self.priorities.len() <= thread.index() {
            self.priorities.push(i64::from(self.rng.next_u32()) + 1);
        }
        self.priorities[thread.index()]
    }

    fn drop_below_all(&mut self, thread: ThreadId) {
        self.priority(thread);
        self.lowest -= 1;
        self.priorities[thread.index()] = self.lowest;
    }
}

impl Scheduler for Pct {
    fn name(&self) -> &'static str {
        match self.depth {
            0..=2 => "pct-2",
            3 => "pct-3",
            4 => "pct-4",
            _ => "pct-5",
        }
    }

    fn begin_run(&mut self, seed: u64) {
        let mut rng = Rng::new(seed);
        // Some are after the end: otherwise, with few points, threads would drop at all of them in every run, and bugs
        // that need a thread to stay on top would never show.
        let range = self.points.saturating_add(self.depth);
        self.changes = (1..self.depth).map(|_| rng.below(range)).collect();
        self.changes.sort_unstable_by(|a, b| b.cmp(a));
        self.rng = rng;
        self.fairness = Fairness::default();
        self.priorities.clear();
        self.lowest = 0;
        self.seen = 0;
        self.streak = (ThreadId::ENTRY, 0);
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        while self.changes.last().is_some_and(|at| *at <= self.seen) {
            self.changes.pop();
            if let Some(current) = point.current {
                self.drop_below_all(current);
            }
        }
        self.seen += 1;
        if self.streak.1 >= PATIENCE {
            self.drop_below_all(self.streak.0);
        }
        let candidates = self.fairness.candidates(point);
        let mut best = candidates[0];
        for &thread in &candidates[1..] {
            if self.priority(thread) > self.priority(best) {
                best = thread;
            }
        }
        self.streak = (best, if self.streak.0 == best && self.streak.1 < PATIENCE { self.streak.1 + 1 } else { 1 });
        best
    }
}
