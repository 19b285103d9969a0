//! The trace of a run: what threads did to each other, in order, for reports. Recorded only on demand; it changes
//! nothing else in a run.

use crate::clock::ThreadId;
use crate::finding::{Action, LockKind, Object, StackEntry};
use crate::ir::{Instr, Ordering};
use crate::machine::Machine;
use crate::sched::PointKind;
use crate::stack::Place;
use crate::thread::Wait;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of steps. In a longer run the oldest are dropped, except starts of threads.
const MAX_STEPS: usize = 20_000;
/// How many of the last steps a repeated one is looked for in.
const RECENT: usize = 16;

/// What a thread did.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "as named")]
pub enum TraceEvent {
    Starts {
        thread: ThreadId,
    },
    /// It raises a panic.
    Panics,
    /// Its first function returned.
    Ends {
        /// Whether a panic left all code outside std.
        panicked: bool,
    },
    /// It continues after a wait for another thread's end.
    Joins {
        thread: ThreadId,
    },
    Takes {
        kind: LockKind,
        object: Object,
    },
    Releases {
        object: Object,
    },
    /// It starts to wait: the action is one of the waits.
    Waits {
        action: Action,
    },
    Sleeps,
    /// It starts the handler of a signal.
    Handles {
        signal: i32,
    },
    /// It notifies a condition variable; `woken` are the threads that it wakes.
    Notifies {
        object: Object,
        woken: Vec<ThreadId>,
    },
    /// It unparks a thread; `woken` contains it if it was parked.
    Unparks {
        object: Object,
        woken: Vec<ThreadId>,
    },
    Sends {
        object: Object,
    },
    Receives {
        object: Object,
    },
    /// An atomic load of the program's own.
    Loads {
        object: Object,
        order: Ordering,
    },
    Stores {
        object: Object,
        order: Ordering,
    },
    /// An atomic read-modify-write of the program's own.
    Updates {
        object: Object,
        order: Ordering,
    },
    /// It goes on after a wait that nobody has ended.
    WakesSpuriously,
    /// It has polled a future in vain, with a waker that it replaces later.
    PollsInVain,
    /// It drops a future that is not ready.
    DropsFuture,
    /// One of the accesses of the finding.
    Accesses {
        action: Action,
    },
}

impl TraceEvent {
    /// The object that it is about, if there is one.
    pub fn object(&self) -> Option<Object> {
        match self {
            TraceEvent::Takes { object, .. }
            | TraceEvent::Releases { object }
            | TraceEvent::Notifies { object, .. }
            | TraceEvent::Unparks { object, .. }
            | TraceEvent::Sends { object }
            | TraceEvent::Receives { object }
            | TraceEvent::Loads { object, .. }
            | TraceEvent::Stores { object, .. }
            | TraceEvent::Updates { object, .. } => Some(*object),
            TraceEvent::Waits { action } | TraceEvent::Accesses { action } => action.object(),
            TraceEvent::Starts { .. }
            | TraceEvent::Panics
            | TraceEvent::Ends { .. }
            | TraceEvent::Joins { .. }
            | TraceEvent::Sleeps
            | TraceEvent::WakesSpuriously
            | TraceEvent::PollsInVain
            | TraceEvent::DropsFuture
            | TraceEvent::Handles { .. } => None,
        }
    }
}

/// One step of an interleaving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The thread.
    pub thread: ThreadId,
    /// What it did.
    pub event: TraceEvent,
    /// Its stack, innermost frame first; empty at a thread's end.
    pub stack: Vec<StackEntry>,
    /// Number of scheduling choices before it; for the earlier of two accesses, before the step that it follows.
    pub choices: u64,
}

#[derive(Clone, Debug)]
struct RecordedStep {
    /// Number of steps recorded before it.
    number: u64,
    thread: ThreadId,
    event: TraceEvent,
    place: Place,
    choices: u64,
}

/// The steps of a run so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trace {
    steps: Vec<RecordedStep>,
    recorded: u64,
    /// The accesses of a thread at a place, by address: their sizes, and the number of steps recorded before the last
    /// one.
    accesses: FxHashMap<(ThreadId, Place), BTreeMap<u64, (u32, u64)>>,
}

impl Trace {
    /// A thread that polls does the same again and again. Of its steps, only the last such load, or taking of a lock with
    /// the release before it, is kept.
    fn forget_repeated(&mut self, thread: ThreadId, event: &TraceEvent, place: Place) {
        let recent = self.steps.len().saturating_sub(RECENT)..self.steps.len();
        let mut own = recent.rev().filter(|at| self.steps[*at].thread == thread);
        let is_same = |at: usize| self.steps[at].event == *event && self.steps[at].place == place;
        let Some(last) = own.next() else { return };
        match (event, &self.steps[last].event) {
            (TraceEvent::Loads { .. }, _) if is_same(last) => drop(self.steps.remove(last)),
            (TraceEvent::Takes { object, .. }, TraceEvent::Releases { object: released }) if object == released => {
                if let Some(taken) = own.next().filter(|at| is_same(*at)) {
                    self.steps.remove(last);
                    self.steps.remove(taken);
                }
            }
            _ => {}
        }
    }
}

impl Machine<'_> {
    /// Records a step of the current thread.
    pub(crate) fn trace_event(&mut self, event: TraceEvent) {
        if self.config.trace {
            let place = self.place();
            self.record(event, place);
        }
    }

    /// Records a step of the current thread on an object.
    pub(crate) fn trace_event_on(&mut self, addr: u64, event: impl FnOnce(Object) -> TraceEvent) {
        if self.config.trace {
            let object = self.object(addr);
            self.trace_event(event(object));
        }
    }

    /// Records that the current thread starts to wait; waiting again after a wake-up in vain is no new step.
    pub(crate) fn tell_wait(&mut self, wait: Wait) {
        if !self.config.trace {
            return;
        }
        let event = match self.wait_action(self.thread_id(), wait) {
            Some(action) => TraceEvent::Waits { action },
            None => TraceEvent::Sleeps,
        };
        let thread = self.thread_id();
        let last = self.trace.steps.iter().rev().find(|step| step.thread == thread);
        if last.is_none_or(|last| last.event != event) {
            self.trace_event(event);
        }
    }

    /// Notes when the current thread made an access: it may become part of a finding.
    pub(crate) fn tell_access(&mut self, addr: u64, size: u32, place: Place) {
        if self.config.trace {
            let thread = self.thread_id();
            let number = self.trace.recorded;
            self.trace.accesses.entry((thread, place)).or_default().insert(addr, (size, number));
        }
    }

    /// Records an atomic of the program's own, not one inside std.
    pub(crate) fn tell_atomic(&mut self, instr: &Instr) {
        if !self.config.trace {
            return;
        }
        self.save_pc();
        if !self.request_site(PointKind::Atomic, None).0 {
            return;
        }
        match *instr {
            Instr::AtomicLoad { ptr, order, .. } => {
                self.trace_event_on(self.read(ptr, 8), |object| TraceEvent::Loads { object, order });
            }
            Instr::AtomicStore { ptr, order, .. } => {
                self.trace_event_on(self.read(ptr, 8), |object| TraceEvent::Stores { object, order });
            }
            Instr::AtomicRmw { ptr, order, .. } => {
                self.trace_event_on(self.read(ptr, 8), |object| TraceEvent::Updates { object, order });
            }
            _ => {}
        }
    }

    /// Records a compare-and-exchange like [`Machine::tell_atomic`]; a failed one only loads.
    pub(crate) fn tell_exchange(&mut self, addr: u64, succeeds: bool, order: Ordering) {
        if self.config.trace && self.request_site(PointKind::Atomic, None).0 {
            self.trace_event_on(addr, |object| match succeeds {
                true => TraceEvent::Updates { object, order },
                false => TraceEvent::Loads { object, order },
            });
        }
    }

    fn record(&mut self, event: TraceEvent, place: Place) {
        let (thread, choices) = (self.thread_id(), self.choices);
        let trace = &mut self.trace;
        trace.forget_repeated(thread, &event, place);
        if trace.steps.len() >= MAX_STEPS {
            let old = trace.steps[MAX_STEPS / 2].number;
            trace.steps.retain(|step| step.number >= old || matches!(step.event, TraceEvent::Starts { .. }));
        }
        trace.steps.push(RecordedStep { number: trace.recorded, thread, event, place, choices });
        trace.recorded += 1;
    }

    /// The steps so far.
    pub(crate) fn steps_so_far(&self) -> Vec<TraceStep> {
        let step = |step: &RecordedStep| TraceStep {
            thread: step.thread,
            event: step.event.clone(),
            stack: self.contexts.stack(step.place),
            choices: step.choices,
        };
        self.trace.steps.iter().map(step).collect()
    }

    /// The index of an access in [`Machine::steps_so_far`].
    pub(crate) fn step_of_access(&self, thread: ThreadId, addr: u64, place: Place) -> usize {
        let accesses = self.trace.accesses.get(&(thread, place)).into_iter().flat_map(|it| it.range(..=addr).rev());
        let covers = |(start, (size, _)): &(&u64, &(u32, u64))| addr - **start < u64::from(*size);
        let number = accesses.filter(covers).map(|(_, (_, number))| *number).next();
        self.trace.steps.partition_point(|step| number.is_none_or(|number| step.number < number))
    }
}
