//! Guided schedules: segments of a schedule, each a thread that runs for a number of points or as long as it can. A
//! replay follows a recording exactly; this follows the remaining segments after some were removed (delta debugging,
//! Zeller and Hildebrandt, TSE'02, over switches of threads).

use crate::clock::ThreadId;
use crate::sched::{Note, Point, PointKind, Schedule, Scheduler};

/// A period in which one thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// The thread.
    pub thread: ThreadId,
    /// Its number of choices; `None` for as long as it can run and does not yield.
    pub choices: Option<u32>,
}

impl Segment {
    /// The segments of a recording. A segment that ended because the thread could not continue gets no length: the
    /// length matters only for preemptions.
    pub fn of(schedule: &Schedule, notes: &[Note]) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut end = 0;
        for run in schedule.choices.chunk_by(|a, b| a == b) {
            end += run.len();
            let is_preempted = notes.get(end).is_some_and(|note| note.preempts);
            segments.push(Segment { thread: run[0], choices: is_preempted.then_some(run.len() as u32) });
        }
        segments
    }
}

/// Follows segments; a thread that cannot run loses its turn. After the last one, makes [`Point::default_choice`].
#[derive(Clone, Debug)]
pub struct Guided {
    segments: Vec<Segment>,
    next: usize,
    /// Choices made in the current segment.
    made: u32,
}

impl Guided {
    /// A scheduler for these segments.
    pub fn new(segments: Vec<Segment>) -> Guided {
        Guided { segments, next: 0, made: 0 }
    }
}

impl Scheduler for Guided {
    fn name(&self) -> &'static str {
        "guided"
    }

    fn begin_run(&mut self, _seed: u64) {
        self.next = 0;
        self.made = 0;
    }

    fn choose(&mut self, point: &Point<'_>) -> ThreadId {
        while let Some(segment) = self.segments.get(self.next) {
            let yields = self.made > 0 && point.kind == PointKind::Yield && point.current == Some(segment.thread);
            let is_over = match segment.choices {
                Some(choices) => self.made >= choices,
                None => yields && point.runnable.len() > 1,
            };
            if !is_over && point.offers(segment.thread) {
                self.made += 1;
                return segment.thread;
            }
            self.next += 1;
            self.made = 0;
        }
        point.default_choice()
    }
}
