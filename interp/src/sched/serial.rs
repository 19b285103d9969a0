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
    /// The threads that could run at the last decision, and the one that was chosen.
    last: Option<(Vec<ThreadId>, ThreadId)>,
    /// The threads that have reached a call.
    calling: Vec<ThreadId>,
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

    /// Whether a thread was chosen from at least these, and has come to its first call since: to choose again would give
    /// the same orders once more.
    fn reaches_first_call(&mut self, current: ThreadId, runnable: &[ThreadId]) -> bool {
        if self.calling.contains(&current) {
            return false;
        }
        self.calling.push(current);
        self.last
            .as_ref()
            .is_some_and(|(from, chosen)| *chosen == current && runnable.iter().all(|it| from.contains(it)))
    }
}

impl Scheduler for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn begin_run(&mut self, _seed: u64) {
        self.made = 0;
        self.last = None;
        self.calling.clear();
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let goes_on = point.current.filter(|current| point.runnable.contains(current));
        match goes_on {
            Some(current) if !matches!(point.kind, PointKind::Call | PointKind::Yield) => return current,
            Some(_) if point.kind == PointKind::Yield => return point.default_choice(),
            Some(current) if self.reaches_first_call(current, point.runnable) => return current,
            _ => {}
        }
        if self.made == self.decisions.len() {
            self.decisions.push(Decision { chosen: 0, count: point.runnable.len() });
        }
        let chosen = self.decisions[self.made].chosen;
        self.made += 1;
        let chosen = point.runnable.get(chosen).copied().unwrap_or(point.runnable[0]);
        self.last = Some((point.runnable.to_vec(), chosen));
        chosen
    }
}
