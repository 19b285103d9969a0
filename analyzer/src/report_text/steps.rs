//! The numbered steps of a finding: those of the recorded steps that matter to it.

use super::{ReportText, fault_text, system::awaited, system::signal};
use crate::diagnostic::Step;
use interp::{
    clock::ThreadId,
    finding::{Action, Event, LockKind, Object, Owner, StackEntry},
    ir::Ordering,
    trace::{TraceEvent, TraceStep},
};
use std::collections::BTreeSet;

/// Maximum number of steps in a report.
const MAX_STEPS: usize = 14;

impl ReportText<'_> {
    /// The steps that matter: starts of threads, operations on the objects of the finding, accesses and last waits.
    pub(crate) fn steps(&mut self) -> Vec<Step> {
        let roster = self.roster();
        let mut steps = Vec::new();
        for at in self.kept_steps() {
            let step = &self.finding.trace[at];
            let Some(thread) = roster.iter().position(|id| *id == step.thread) else { continue };
            let location = self.site(&step.stack);
            let text = self.step_text(step);
            let is_access = matches!(step.event, TraceEvent::Accesses { .. });
            steps.push(Step { number: steps.len() + 1, thread, location, text, is_access });
        }
        steps
    }

    /// Number of [`ReportText::steps`] before a scheduling choice.
    pub(crate) fn steps_before(&self, choice: usize) -> usize {
        let is_before = |at: &usize| self.finding.trace[*at].choices <= choice as u64;
        self.kept_steps().into_iter().take_while(is_before).count()
    }

    /// Which of the recorded steps are [`ReportText::steps`].
    fn kept_steps(&self) -> Vec<usize> {
        let roster = self.roster();
        let finding = self.finding;
        let objects = self.objects_that_matter();
        let own = finding.trace.iter().enumerate().filter(|(_, step)| roster.contains(&step.thread));
        let mut kept: Vec<usize> =
            own.filter(|(at, step)| self.matters(*at, step, &roster, &objects)).map(|(at, _)| at).collect();
        // If there are too many, the starts and the last ones.
        while kept.len() > MAX_STEPS {
            let starts = |at: &usize| matches!(finding.trace[*at].event, TraceEvent::Starts { .. });
            let oldest = kept.iter().position(|at| !starts(at)).unwrap_or(0);
            kept.remove(oldest);
        }
        kept
    }

    /// Addresses of objects that are waited for, and of those that waiting threads hold.
    fn objects_that_matter(&self) -> BTreeSet<u64> {
        let waited = self.finding.events.iter().filter(|event| !is_access(&event.action));
        let waited: BTreeSet<u64> = waited.filter_map(|event| event.action.object()).map(|it| it.addr).collect();
        let accesses = self.finding.events.iter().filter(|event| is_access(&event.action));
        let held = accesses.flat_map(|event| &event.held).map(|held| held.1.addr);
        waited.iter().copied().chain(held).collect()
    }

    fn matters(&self, at: usize, step: &TraceStep, roster: &[ThreadId], objects: &BTreeSet<u64>) -> bool {
        if self.is_failure() {
            return self.matters_to_failure(step);
        }
        let is_race = self.finding.events.iter().all(|event| is_access(&event.action));
        let later = || self.finding.trace[at + 1..].iter();
        let own_later = || later().filter(|other| other.thread == step.thread);
        match &step.event {
            TraceEvent::Starts { thread } => roster.contains(thread),
            TraceEvent::Ends { .. } => true,
            // One during the last wait changes nothing.
            TraceEvent::Handles { .. } => !own_later().all(is_of_handler),
            TraceEvent::Panics => self.is_telling(step),
            TraceEvent::Accesses { .. } => true,
            TraceEvent::PollsInVain | TraceEvent::DropsFuture => !is_race,
            TraceEvent::WakesSpuriously => own_later().all(|other| other.event != TraceEvent::WakesSpuriously),
            // A lock that was released again does not matter.
            TraceEvent::Takes { object, .. } => {
                let given_back = |other: &TraceStep| {
                    other.thread == step.thread && other.event == TraceEvent::Releases { object: *object }
                };
                objects.contains(&object.addr) && !later().any(given_back)
            }
            TraceEvent::Releases { .. } | TraceEvent::Joins { .. } | TraceEvent::Sleeps => false,
            // The last step of a thread.
            TraceEvent::Waits { .. } => {
                let is_last = own_later().next().is_none_or(|next| matches!(next.event, TraceEvent::Handles { .. }));
                !is_race && is_last && own_later().all(is_of_handler)
            }
            TraceEvent::Notifies { object, .. } | TraceEvent::Unparks { object, .. } => objects.contains(&object.addr),
            TraceEvent::Sends { object } | TraceEvent::Receives { object } => objects.contains(&object.addr),
            TraceEvent::Loads { .. } | TraceEvent::Stores { .. } | TraceEvent::Updates { .. } => {
                self.weak_pair().is_some_and(|(stored, loaded)| at == stored || at == loaded)
            }
        }
    }

    /// Whether the finding is a failure that other threads' steps explain.
    pub(super) fn is_failure(&self) -> bool {
        let is_failure = |event: &Event| {
            use Action::{Exits, Faults, Panics, Spins};
            matches!(event.action, Panics { .. } | Faults { .. } | Spins { .. } | Exits { .. })
        };
        self.finding.events.iter().any(is_failure)
    }

    /// Whether a step may explain a failure: what code of the workspace did to other threads. A release follows its
    /// taking. Locks of std and of dependencies that are in statics are left out.
    pub(super) fn matters_to_failure(&self, step: &TraceStep) -> bool {
        if let Some(Object { owner: Owner::Global(id), .. }) = step.event.object()
            && self.foreign.contains(&id)
        {
            return false;
        }
        let is_silent = matches!(step.event, TraceEvent::Releases { .. } | TraceEvent::Ends { .. });
        !is_silent && !self.is_polling(step) && step.stack.iter().any(|entry| entry.is_local)
    }

    /// Whether a step belongs to a busy wait that the finding names.
    fn is_polling(&self, step: &TraceStep) -> bool {
        let (TraceEvent::Loads { object, .. } | TraceEvent::Takes { object, .. }) = &step.event else { return false };
        let is_spin = |event: &Event| matches!(event.action, Action::Spins { object: at } if at.addr == object.addr);
        let mut spins = self.finding.events.iter().filter(|event| is_spin(event));
        spins.any(|event| event.thread == step.thread && event.stack == step.stack)
    }

    fn future_at(&mut self, step: &TraceStep) -> String {
        match self.names.concurrent_call(&step.stack) {
            Some(call) => format!("the future of {call}"),
            None => "a future".to_owned(),
        }
    }

    /// The text of a step.
    pub(crate) fn step_text(&mut self, step: &TraceStep) -> String {
        let text = match &step.event {
            TraceEvent::Starts { thread } => format!("starts {}", self.thread(*thread)),
            TraceEvent::Panics => "panics".to_owned(),
            TraceEvent::Ends { .. } => "ends".to_owned(),
            TraceEvent::Joins { thread } => format!("has waited for {}", self.thread(*thread)),
            TraceEvent::Takes { kind: LockKind::Read, object } => {
                format!("takes {} to read", self.at_step(object, step, "a lock"))
            }
            TraceEvent::Takes { kind: LockKind::Write, object } => {
                format!("takes {} to write", self.at_step(object, step, "a lock"))
            }
            TraceEvent::Takes { kind: LockKind::Mutex, object } => {
                format!("takes {}", self.at_step(object, step, "a lock"))
            }
            TraceEvent::Releases { object } => format!("releases {}", self.at_step(object, step, "a lock")),
            TraceEvent::Waits { action } => self.waits(action, step),
            TraceEvent::Sleeps => "sleeps".to_owned(),
            TraceEvent::WakesSpuriously => "wakes without a notification, as std allows".to_owned(),
            TraceEvent::Handles { signal: number } => format!("handles {}", signal(*number)),
            TraceEvent::Notifies { object, woken } => {
                let what = self.at_step(object, step, "a condition variable");
                format!("notifies {what}{}", self.woken(woken))
            }
            TraceEvent::Unparks { woken, .. } => format!("unparks a thread{}", self.woken(woken)),
            TraceEvent::Sends { .. } => format!("sends to {}", self.end_at_step(step)),
            TraceEvent::Receives { .. } => format!("receives from {}", self.end_at_step(step)),
            TraceEvent::Loads { object, order } => {
                format!("loads {} ({order:?})", self.at_step(object, step, "an atomic"))
            }
            TraceEvent::Stores { object, order } => {
                format!("stores {} ({order:?})", self.at_step(object, step, "an atomic"))
            }
            TraceEvent::Updates { object, order } => {
                format!("updates {} ({order:?})", self.at_step(object, step, "an atomic"))
            }
            TraceEvent::PollsInVain => format!("polls {} with a waker that it replaces later", self.future_at(step)),
            TraceEvent::DropsFuture => format!("drops {}, which is not ready", self.future_at(step)),
            TraceEvent::Accesses { action } => self.accesses(action, &step.stack),
        };
        // In the list of steps only the names of threads are in backticks.
        match step.event {
            TraceEvent::Starts { .. } => text,
            _ => text.replace('`', ""),
        }
    }

    /// An atomic that the first of two accessing threads stores and the other one loads between the accesses, with
    /// orderings that order nothing.
    pub(crate) fn weak_pair(&self) -> Option<(usize, usize)> {
        let trace = &self.finding.trace;
        let mut accesses =
            trace.iter().enumerate().filter(|(_, step)| matches!(step.event, TraceEvent::Accesses { .. }));
        let ((first, one), (last, two)) = (accesses.next()?, accesses.next()?);
        let between = || trace.iter().enumerate().take(last).skip(first);
        for (stored, store) in between().filter(|(_, step)| step.thread == one.thread) {
            let (TraceEvent::Stores { object, order } | TraceEvent::Updates { object, order }) = store.event else {
                continue;
            };
            let loads = between().skip_while(|(at, _)| *at <= stored).filter(|(_, step)| step.thread == two.thread);
            for (loaded, load) in loads {
                let (TraceEvent::Loads { object: seen, order: acquire }
                | TraceEvent::Updates { object: seen, order: acquire }) = load.event
                else {
                    continue;
                };
                let releases = !matches!(order, Ordering::Relaxed | Ordering::Acquire);
                let acquires = !matches!(acquire, Ordering::Relaxed | Ordering::Release);
                if seen.addr == object.addr && !(releases && acquires) {
                    return Some((stored, loaded));
                }
            }
        }
        None
    }

    /// The name that a step's code uses for its end of a channel.
    fn end_at_step(&mut self, step: &TraceStep) -> String {
        let finding = self.finding;
        let started = finding.events.iter().find(|event| event.thread == step.thread).map_or(&[][..], |it| &it.started);
        self.names.object(&step.stack, started).map_or_else(|| "a channel".to_owned(), |name| name.text)
    }

    fn woken(&self, woken: &[ThreadId]) -> String {
        match woken {
            [] => ", nobody waits".to_owned(),
            several => {
                format!(", wakes {}", super::listed(&several.iter().map(|it| self.thread(*it)).collect::<Vec<_>>()))
            }
        }
    }

    /// `reads COUNTER`.
    fn accesses(&mut self, action: &Action, stack: &[StackEntry]) -> String {
        let object = action.object().and_then(|object| self.known(&object));
        if let Action::Calls { func, .. } = action {
            let method = self.method(*func);
            return format!("calls {method} on {}", object.as_deref().unwrap_or("an object"));
        }
        if let Action::Faults { fault, .. } = action {
            return fault_text(*fault).to_owned();
        }
        if let Action::Exits { status } = action {
            return format!("ends with status {status}");
        }
        if let Action::Spins { .. } = action {
            return format!("spins on {}", object.as_deref().unwrap_or("a value"));
        }
        let text = format!("{} {}", self.verb_at(action, stack), object.as_deref().unwrap_or("the memory"));
        // Without code of the workspace, a harness uses what its call has returned.
        match self.names.concurrent_call(stack) {
            Some(call) if !stack.iter().any(|entry| entry.is_local) => format!("{text} through what {call} returned"),
            _ => text,
        }
    }

    /// `waits for Audit.log`.
    fn waits(&mut self, action: &Action, step: &TraceStep) -> String {
        let named = |report: &mut Self, object, else_| report.at_step(object, step, else_);
        match action {
            Action::WaitsLock { kind: LockKind::Mutex, object } => {
                format!("waits for {}", named(self, object, "a lock"))
            }
            Action::WaitsLock { kind: LockKind::Read, object } => {
                format!("waits to read {}", named(self, object, "a lock"))
            }
            Action::WaitsLock { kind: LockKind::Write, object } => {
                format!("waits to write {}", named(self, object, "a lock"))
            }
            Action::WaitsCondvar { object } => format!("waits for {}", named(self, object, "a condition variable")),
            Action::WaitsJoin { thread } => format!("waits for {} to end", self.thread(*thread)),
            Action::WaitsPark { .. } => "parks".to_owned(),
            Action::WaitsSend { .. } => format!("waits to send to {}", self.end_at_step(step)),
            Action::WaitsReceive { .. } => format!("waits for a message from {}", self.end_at_step(step)),
            Action::WaitsBarrier { object } => format!("waits at {}", named(self, object, "a barrier")),
            Action::WaitsOnce { object, .. } => {
                format!("waits for the initialisation of {}", named(self, object, "a value"))
            }
            Action::WaitsScope { .. } => "waits for the scope's threads".to_owned(),
            Action::WaitsSystem { what } => format!("waits for {}", awaited(*what)),
            _ => "waits".to_owned(),
        }
    }
}

/// Whether the handler of a signal is or does that while its thread waits.
fn is_of_handler(step: &TraceStep) -> bool {
    use TraceEvent::{Handles, Loads, Notifies, Stores, Unparks, Updates};
    matches!(
        step.event,
        Handles { .. } | Loads { .. } | Notifies { .. } | Stores { .. } | Unparks { .. } | Updates { .. }
    )
}

fn is_access(action: &Action) -> bool {
    matches!(
        action,
        Action::Read { .. }
            | Action::Write { .. }
            | Action::Allocates { .. }
            | Action::Frees { .. }
            | Action::Calls { .. }
    )
}
