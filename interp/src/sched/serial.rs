//! Serial schedules: a thread goes on until it yields, waits or ends. If a test yields between its calls, each call runs
//! as a whole, or up to where it waits (the serial executions of linearizability testing: Line-Up, PLDI'10).

use crate::clock::ThreadId;
use crate::rng::Rng;
use crate::sched::{Point, PointKind, Scheduler};

/// A random serial schedule.
#[derive(Clone, Debug)]
pub struct Serial {
    rng: Rng,
}

impl Serial {
    /// A random serial schedule.
    pub fn new() -> Serial {
        Serial { rng: Rng::new(0) }
    }
}

impl Default for Serial {
    fn default() -> Serial {
        Serial::new()
    }
}

impl Scheduler for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn begin_run(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        match point.current {
            Some(current) if point.kind != PointKind::Yield && point.runnable.contains(&current) => current,
            _ => point.runnable[self.rng.index(point.runnable.len())],
        }
    }
}
