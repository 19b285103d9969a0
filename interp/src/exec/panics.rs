//! Panics that nobody handles, as findings. Whether one depends on the schedule is asked of other runs elsewhere.

use crate::clock::ThreadId;
use crate::finding::{Action, Finding, FindingKind, StackEntry};
use crate::machine::Machine;
use crate::run::RunEnd;
use crate::trace::TraceEvent;

/// The panics of a run since a second thread was started.
#[derive(Clone, Default, Debug)]
pub(crate) struct Panics {
    /// The first one: what another thread that panics afterwards found, such as a poisoned lock, follows from it.
    first: Option<Finding>,
    count: u32,
    /// How the last panic of each thread that panicked went on.
    ends: Vec<(ThreadId, PanicEnd)>,
}

/// How a thread's panic went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PanicEnd {
    /// It is being unwound.
    Unwinds,
    /// Code outside std caught it.
    Caught,
    /// It ended the thread.
    Left,
    /// It ended the thread, and another thread learned of that.
    Joined,
}

impl Panics {
    /// Number of panics.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    fn set(&mut self, thread: ThreadId, end: PanicEnd) {
        match self.ends.iter_mut().find(|known| known.0 == thread) {
            Some(known) => known.1 = end,
            None => self.ends.push((thread, end)),
        }
    }

    fn end(&self, thread: ThreadId) -> Option<PanicEnd> {
        self.ends.iter().find(|known| known.0 == thread).map(|known| known.1)
    }

    /// Another thread has waited for the end of this one, and decides what its panic means.
    pub(crate) fn joined(&mut self, thread: ThreadId) {
        if self.end(thread) == Some(PanicEnd::Left) {
            self.set(thread, PanicEnd::Joined);
        }
    }
}

impl Machine<'_> {
    /// The current thread raises a panic.
    pub(crate) fn raised(&mut self) {
        if !self.concurrent || self.process != self.threads[0].process {
            return;
        }
        let thread = self.thread_id();
        self.panics.count += 1;
        self.panics.set(thread, PanicEnd::Unwinds);
        if self.panics.first.is_none() {
            let place = self.place();
            let event = self.event(thread, Action::Panics, place);
            let mut trace = self.steps_so_far();
            // What the panic itself does, such as locking the output, explains nothing.
            let own = |entry: &StackEntry| !entry.is_std;
            let depth = event.stack.iter().position(own).unwrap_or_default().saturating_sub(1);
            let call = &event.stack[depth..];
            trace.retain(|step| step.event == TraceEvent::Panics || !step.stack.ends_with(call));
            self.panics.first = Some(self.finding(FindingKind::EntryPanicked, vec![event], trace));
        }
    }

    /// The current thread's panic was caught: by std, below which there is no other code, if `is_left`.
    pub(crate) fn caught(&mut self, is_left: bool) {
        let thread = self.thread_id();
        if self.panics.end(thread).is_some() {
            self.panics.set(thread, if is_left { PanicEnd::Left } else { PanicEnd::Caught });
        }
    }

    /// At the end of the run: reports its first panic if one is left that nobody handled.
    pub(crate) fn report_panic(&mut self, end: &RunEnd) {
        let ends_program = matches!(end, RunEnd::Panicked | RunEnd::Aborted);
        let current = self.thread_id();
        let is_unhandled = |(thread, end): &(ThreadId, PanicEnd)| match end {
            PanicEnd::Left => true,
            PanicEnd::Unwinds => ends_program && *thread == current,
            PanicEnd::Caught | PanicEnd::Joined => false,
        };
        let is_complete = ends_program || matches!(end, RunEnd::Returned(_) | RunEnd::Exited(_));
        if !is_complete || !self.panics.ends.iter().any(is_unhandled) {
            return;
        }
        if let Some(mut finding) = self.panics.first.take() {
            // That nobody handles it shows at the end only.
            (finding.step, finding.choices) = (self.steps, self.choices);
            self.findings.push(finding);
        }
    }
}
