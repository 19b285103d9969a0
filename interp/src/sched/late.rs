//! Late wakers: as the random walk, but a thread that has waited and may go on is mostly put off until all others have
//! been as far as they get, or wait too. Between a notification and its waker others then come first, who take what was
//! notified of, or wait at the same condition variable; it is what a monitor that relies on going on at once forgets
//! (the signal of Mesa, not of Hoare).

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Fairness, Point, PointKind, Scheduler};
use smallvec::SmallVec;

/// A thread is put off in so many of so many cases; what needs one to come early is for other strategies, but several
/// wakers may be needed, some early and some late.
const PUT_OFF: (u32, u32) = (7, 8);

/// The walk that puts off who has waited.
#[derive(Clone, Debug)]
pub struct LateWakers {
    rng: Rng,
    fairness: Fairness,
    /// Threads that wait, as far as is known.
    asleep: SmallVec<[ThreadId; 8]>,
    put_off: SmallVec<[ThreadId; 8]>,
}

impl LateWakers {
    /// Seeded by each run.
    pub fn new() -> LateWakers {
        LateWakers {
            rng: Rng::new(0),
            fairness: Fairness::default(),
            asleep: SmallVec::new(),
            put_off: SmallVec::new(),
        }
    }
}

impl Default for LateWakers {
    fn default() -> LateWakers {
        LateWakers::new()
    }
}

impl Scheduler for LateWakers {
    fn name(&self) -> &'static str {
        "late-wakers"
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
        self.fairness = Fairness::default();
        self.asleep.clear();
        self.put_off.clear();
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        for &thread in point.runnable {
            if let Some(index) = self.asleep.iter().position(|it| *it == thread) {
                self.asleep.swap_remove(index);
                if self.rng.chance(PUT_OFF.0, PUT_OFF.1) {
                    self.put_off.push(thread);
                }
            }
        }
        if let Some(current) = point.current
            && point.kind == PointKind::Blocked
            && !self.asleep.contains(&current)
        {
            self.asleep.push(current);
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
