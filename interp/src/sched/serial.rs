//! Serial schedules: a thread goes on until it waits, ends, or is about to make the next call of a harness. So each call
//! runs as a whole, or up to where it waits (the serial executions of Line-Up, PLDI'10).

use crate::clock::ThreadId;
use crate::sched::{Point, PointKind, Scheduler};

/// A choice of a serial schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decision {
    /// The index of the chosen thread.
    chosen: usize,
    /// The number of threads that could run.
    count: usize,
}

/// All serial schedules of a program whose inputs stay the same, one in each run.
#[derive(Clone, Default, Debug)]
pub struct Serial {
    decisions: Vec<Decision>,
    /// Number of decisions that the current run has made.
    made: usize,
}

impl Serial {
    /// Moves on to the next schedule. Returns whether there is one.
    pub fn advance(&mut self) -> bool {
        self.decisions.truncate(self.made);
        while let Some(last) = self.decisions.pop() {
            if last.chosen + 1 < last.count {
                self.decisions.push(Decision { chosen: last.chosen + 1, ..last });
                return true;
            }
        }
        false
    }
}

impl Scheduler for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn begin_run(&mut self, _seed: u64) {
        self.made = 0;
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let goes_on = point.current.filter(|current| point.runnable.contains(current));
        match goes_on {
            Some(current) if !matches!(point.kind, PointKind::Call | PointKind::Yield) => return current,
            Some(_) if point.kind == PointKind::Yield => return point.default_choice(),
            _ => {}
        }
        if self.made == self.decisions.len() {
            self.decisions.push(Decision { chosen: 0, count: point.runnable.len() });
        }
        let chosen = self.decisions[self.made].chosen;
        self.made += 1;
        point.runnable.get(chosen).copied().unwrap_or(point.runnable[0])
    }
}
