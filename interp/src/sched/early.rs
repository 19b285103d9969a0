//! Early wake-ups: a random walk that sometimes lets a waiting thread continue before its wait has ended. With
//! [`WakeUps::AdversarialTime`](crate::sched::WakeUps) deadlines pass early or late; with
//! [`WakeUps::Spurious`](crate::sched::WakeUps) waits end spuriously, as std allows.

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Point, RandomWalk, Scheduler, WakeUps};

/// The random walk with early wake-ups.
#[derive(Clone, Debug)]
pub struct EarlyWakes {
    walk: RandomWalk,
    rng: Rng,
    wake_ups: WakeUps,
    /// At one in this many points with such threads, one is woken.
    stride: u32,
}

impl EarlyWakes {
    /// Time may pass at any point.
    pub fn adversarial_time() -> EarlyWakes {
        EarlyWakes::new(WakeUps::AdversarialTime)
    }

    /// Waits sometimes end spuriously.
    pub fn spurious() -> EarlyWakes {
        EarlyWakes::new(WakeUps::Spurious)
    }

    fn new(wake_ups: WakeUps) -> EarlyWakes {
        EarlyWakes { walk: RandomWalk::new(), rng: Rng::new(0), wake_ups, stride: 1 }
    }
}

impl Scheduler for EarlyWakes {
    fn name(&self) -> &'static str {
        match self.wake_ups {
            WakeUps::Spurious => "spurious-wake-ups",
            WakeUps::AdversarialTime | WakeUps::Exact => "adversarial-time",
        }
    }

    fn begin_run(&mut self, seed: u64) {
        self.walk.begin_run(seed);
        self.rng = Rng::with_stream(seed, 2);
        self.stride = match self.wake_ups {
            WakeUps::Spurious => [4, 12][self.rng.index(2)],
            WakeUps::AdversarialTime | WakeUps::Exact => [2, 8][self.rng.index(2)],
        };
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let walked = self.walk.choose(point);
        if !point.early.is_empty() && self.rng.chance(1, self.stride) {
            return point.early[self.rng.index(point.early.len())];
        }
        walked
    }
}
