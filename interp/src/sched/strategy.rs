//! The table of strategies.

use crate::sched::{Delays, EarlyWakes, Pct, PointKind, RandomWalk, Scheduler, StickyRandomWalk, WakeUps};
use std::fmt;
use std::str::FromStr;

/// Facts from earlier runs of a program.
#[derive(Clone, Copy, Default, Debug)]
pub struct Hints<'a> {
    /// Approximate number of scheduling points of a run.
    pub points: u32,
    /// The kinds of points at which several threads could run.
    pub kinds: &'a [PointKind],
}

/// A strategy; each has a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strategy {
    /// [`RandomWalk`].
    RandomWalk,
    /// [`StickyRandomWalk`].
    Sticky,
    /// [`Pct`] with a depth from 2 to 5.
    Pct(u32),
    /// [`Delays::nested_locks`].
    NestedLocks,
    /// [`Delays::one_of`].
    Delays,
    /// [`EarlyWakes::adversarial_time`].
    AdversarialTime,
    /// [`EarlyWakes::spurious`].
    Spurious,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 10] = [
        Strategy::RandomWalk,
        Strategy::Sticky,
        Strategy::Pct(2),
        Strategy::Pct(3),
        Strategy::Pct(4),
        Strategy::Pct(5),
        Strategy::NestedLocks,
        Strategy::Delays,
        Strategy::AdversarialTime,
        Strategy::Spurious,
    ];

    /// Its scheduler for a program with these hints.
    pub fn scheduler(self, hints: &Hints<'_>) -> Box<dyn Scheduler> {
        match self {
            Strategy::RandomWalk => Box::new(RandomWalk::new()),
            Strategy::Sticky => Box::new(StickyRandomWalk::new()),
            Strategy::Pct(depth) => Box::new(Pct::new(depth, hints.points)),
            Strategy::NestedLocks => Box::new(Delays::nested_locks()),
            Strategy::Delays => Box::new(Delays::one_of(hints.kinds)),
            Strategy::AdversarialTime => Box::new(EarlyWakes::adversarial_time()),
            Strategy::Spurious => Box::new(EarlyWakes::spurious()),
        }
    }

    /// The early wake-ups that it needs.
    pub fn wake_ups(self) -> WakeUps {
        match self {
            Strategy::AdversarialTime => WakeUps::AdversarialTime,
            Strategy::Spurious => WakeUps::Spurious,
            Strategy::RandomWalk | Strategy::Sticky | Strategy::Pct(_) | Strategy::NestedLocks | Strategy::Delays => {
                WakeUps::Exact
            }
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scheduler(&Hints::default()).name())
    }
}

/// The error for an unknown name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStrategy;

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = Strategy::ALL.iter().map(ToString::to_string).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Strategy, UnknownStrategy> {
        Strategy::ALL.into_iter().find(|strategy| strategy.to_string() == name).ok_or(UnknownStrategy)
    }
}
