//! Schedules as data: recorded, printed, parsed, replayed. (RaceFuzzer, PLDI'08, replays by seed; a list of choices
//! also survives a change of strategy, and can be shortened.)
//!
//! Guarantee: a run that is replayed from its own recording makes the same choice at every point.

use crate::clock::ThreadId;
use crate::sched::{Point, PointKind, Scheduler};
use std::fmt;
use std::str::FromStr;

/// The threads chosen at the points of a run, in order. As text: thread numbers, repetitions as `3x12` (thread 3,
/// twelve times), joined by dots; the empty schedule is `-`.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Schedule {
    /// The choices.
    pub choices: Vec<ThreadId>,
}

impl Schedule {
    /// The first `len` choices.
    pub fn prefix(&self, len: usize) -> Schedule {
        Schedule { choices: self.choices.iter().take(len).copied().collect() }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.choices.is_empty() {
            return f.write_str("-");
        }
        for (index, run) in self.choices.chunk_by(|a, b| a == b).enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            match run {
                [thread] => write!(f, "{}", thread.0)?,
                [thread, ..] => write!(f, "{}x{}", thread.0, run.len())?,
                [] => {}
            }
        }
        Ok(())
    }
}

/// The error for text that is no schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseScheduleError {
    /// The part that was not understood.
    pub part: String,
}

impl fmt::Display for ParseScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no part of a schedule: expected a thread's number, or `<thread>x<times>`", self.part)
    }
}

impl std::error::Error for ParseScheduleError {}

/// Larger than the number of points of any run (architecture, "Bounds").
const LONGEST: usize = 10_000_000;

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Schedule, ParseScheduleError> {
        let mut choices: Vec<ThreadId> = Vec::new();
        if text == "-" {
            return Ok(Schedule { choices });
        }
        for part in text.split('.') {
            let error = || ParseScheduleError { part: part.to_owned() };
            let (thread, times) = part.split_once('x').unwrap_or((part, "1"));
            let thread = thread.parse().map_err(|_| error())?;
            let times: usize = times.parse().map_err(|_| error())?;
            if times == 0 || times > LONGEST - choices.len().min(LONGEST) {
                return Err(error());
            }
            choices.extend(std::iter::repeat_n(ThreadId(thread), times));
        }
        Ok(Schedule { choices })
    }
}

/// Facts about a choice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Note {
    /// It preempted a thread: that could have continued and did not yield.
    pub preempts: bool,
    /// It was [`Point::default_choice`].
    pub by_default: bool,
}

/// Records the choices of another strategy.
#[derive(Debug)]
pub struct Recorder<S> {
    inner: S,
    schedule: Schedule,
    notes: Vec<Note>,
}

impl<S: Scheduler> Recorder<S> {
    /// Records the choices of `inner`.
    pub fn new(inner: S) -> Recorder<S> {
        Recorder { inner, schedule: Schedule::default(), notes: Vec::new() }
    }

    /// The choices of the current run.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The facts about each choice.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The choices of the last run.
    pub fn into_schedule(self) -> Schedule {
        self.schedule
    }

    /// The strategy that chooses.
    pub fn inner(&self) -> &S {
        &self.inner
    }
}

impl<S: Scheduler> Scheduler for Recorder<S> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn begin_run(&mut self, seed: u64) {
        self.schedule.choices.clear();
        self.notes.clear();
        self.inner.begin_run(seed);
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        let chosen = self.inner.choose(point);
        self.schedule.choices.push(chosen);
        let can_go_on = |current| point.kind != PointKind::Yield && point.runnable.contains(&current);
        self.notes.push(Note {
            preempts: point.current.is_some_and(|current| current != chosen && can_go_on(current)),
            by_default: point.default_choice() == chosen,
        });
        chosen
    }
}

/// Replays a schedule. After its end, or if its thread cannot run, makes [`Point::default_choice`].
#[derive(Clone, Debug)]
pub struct Replayer {
    schedule: Schedule,
    next: usize,
    diverged_at: Option<usize>,
}

impl Replayer {
    /// Replays `schedule`, or a prefix of one.
    pub fn new(schedule: Schedule) -> Replayer {
        Replayer { schedule, next: 0, diverged_at: None }
    }

    /// The first choice that could not be replayed: the program has changed since the recording.
    pub fn diverged_at(&self) -> Option<usize> {
        self.diverged_at
    }

    /// Number of replayed choices.
    pub fn position(&self) -> usize {
        self.next
    }

    /// Whether all choices have been replayed.
    pub fn is_finished(&self) -> bool {
        self.next >= self.schedule.choices.len()
    }
}

impl Scheduler for Replayer {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn begin_run(&mut self, _seed: u64) {
        self.next = 0;
        self.diverged_at = None;
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        if let Some(&recorded) = self.schedule.choices.get(self.next) {
            self.next += 1;
            if point.offers(recorded) {
                return recorded;
            }
            self.diverged_at.get_or_insert(self.next - 1);
        }
        point.default_choice()
    }
}
