//! Makes findings from the results of detectors.

use crate::clock::ThreadId;
use crate::detect::deadlock::{self, WaitState};
use crate::detect::race::{AccessKind, AccessSite, RaceReport};
use crate::exec::api_calls::Violation;
use crate::finding::{Action, Awaited, Event, Finding, FindingKind, Object};
use crate::ir::WaitName;
use crate::machine::Machine;
use crate::stack::Place;
use crate::sync::locks::LockId;
use crate::thread::{Frame, State, Wait};
use crate::trace::{TraceEvent, TraceStep};
use std::sync::Arc;

/// Maximum number of characters of a thread's name in a report, which has it many times.
const LONGEST_NAME: usize = 60;

/// The beginning of a long name.
fn shortened(name: &Arc<str>) -> Arc<str> {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.clone(),
    }
}

/// An access of a finding as a step.
pub(crate) fn access_step(event: &Event, choices: u64) -> TraceStep {
    TraceStep {
        thread: event.thread,
        event: TraceEvent::Accesses { action: event.action },
        stack: event.stack.clone(),
        choices,
    }
}

impl Machine<'_> {
    pub(crate) fn object(&self, addr: u64) -> Object {
        let (owner, offset) = self.owner(addr);
        Object { addr, owner, offset }
    }

    pub(crate) fn event(&self, thread: ThreadId, action: Action, place: Place) -> Event {
        let started = self.threads[thread.index()].started;
        let held = self.sync.locks.held_by(thread).iter();
        let held = held.map(|held| (held.kind, self.object(held.lock.0), self.contexts.stack(held.place)));
        Event {
            thread,
            action,
            stack: self.contexts.stack(place),
            started: started.map(|place| self.contexts.stack(place)).unwrap_or_default(),
            held: held.collect(),
        }
    }

    pub(crate) fn report(&mut self, kind: FindingKind, events: Vec<Event>) {
        let trace = self.steps_so_far();
        self.report_with(kind, events, trace);
    }

    /// Reports two accesses or calls on the object at an address; the first was made at the given place.
    pub(crate) fn report_pair(&mut self, kind: FindingKind, [first, second]: [Event; 2], addr: u64, place: Place) {
        let trace = self.steps_with_accesses(Some((&first, addr, place)), &second);
        self.report_with(kind, vec![first, second], trace);
    }

    /// The steps so far with one or two accesses: the last one is the latest step, the other one was made at an address
    /// and place.
    pub(crate) fn steps_with_accesses(&self, first: Option<(&Event, u64, Place)>, last: &Event) -> Vec<TraceStep> {
        let mut trace = self.steps_so_far();
        if !self.config.trace {
            return trace;
        }
        if let Some((event, addr, place)) = first {
            let at = self.step_of_access(event.thread, addr, place);
            let choices = trace[..at].last().map_or(0, |step| step.choices);
            trace.insert(at, access_step(event, choices));
        }
        trace.push(access_step(last, self.choices));
        trace
    }

    pub(crate) fn report_with(&mut self, kind: FindingKind, events: Vec<Event>, trace: Vec<TraceStep>) {
        if !self.is_told(kind) {
            return;
        }
        let finding = self.finding(kind, events, trace);
        self.findings.push(finding);
    }

    /// A finding at the current step.
    pub(crate) fn finding(&mut self, kind: FindingKind, events: Vec<Event>, trace: Vec<TraceStep>) -> Finding {
        use FindingKind::{BlockedForever, EntryFailed, EntryFaulted, EntryPanicked, SpinsForever};
        let is_failure = matches!(kind, EntryPanicked | EntryFaulted | EntryFailed | SpinsForever);
        Finding {
            kind,
            events,
            trace,
            thread_names: self.threads.iter().map(|thread| thread.name.as_ref().map(shortened)).collect(),
            rests_on: self.terms.rests_on,
            rests_on_beside: self.terms.rests_on_beside,
            rests_on_time: self.overslept,
            guesses: self.terms.guesses.clone(),
            behind: self.behind.last(),
            is_open: !self.unknown_calls.is_empty() || self.terms.dropped_stores > 0 || self.mistyped && is_failure,
            suspended: if kind == BlockedForever { self.suspended_futures() } else { Vec::new() },
            given: self.inputs.given.clone(),
            message: None,
            step: self.steps,
            choices: self.choices,
        }
    }

    pub(crate) fn report_race(&mut self, race: RaceReport) {
        // In a loop the same two sites race repeatedly.
        let pair = (race.first.0.min(race.second.0), race.first.0.max(race.second.0));
        if !self.reported.insert(pair) {
            return;
        }
        let unknown = Place { context: 0, site: crate::ir::Site::NONE };
        let place = |AccessSite(site)| self.places.get_index(site as usize).copied().unwrap_or(unknown);
        let (first, second) = (place(race.first), place(race.second));
        match self.violation((race.first_thread, first), (race.second_thread, second)) {
            None => {}
            Some(Violation::Known) => return,
            Some(Violation::Between { addr, calls }) => return self.report_violation(addr, calls),
        }
        let object = self.object(race.addr);
        let event = |kind: AccessKind, thread, place| {
            let (size, atomic, volatile) = (race.size, kind.is_atomic(), kind.is_volatile());
            let action = match kind {
                AccessKind::Free => Action::Frees { object },
                AccessKind::Allocate => Action::Allocates { object },
                _ if kind.is_write() => Action::Write { object, size, atomic, volatile },
                _ => Action::Read { object, size, atomic, volatile },
            };
            let mut event = self.event(thread, action, place);
            // The locks that the earlier thread holds now say nothing about its access.
            if thread == race.first_thread {
                event.held.clear();
            }
            event
        };
        let place = first;
        let first = event(race.first_kind, race.first_thread, first);
        let second = event(race.second_kind, race.second_thread, second);
        self.report_pair(FindingKind::DataRace, [first, second], race.addr, place);
    }

    /// The lock that a thread waits for.
    fn lock_wait(&self, thread: ThreadId) -> Option<Wait> {
        let (LockId(addr), kind) = self.sync.locks.waits_for(thread)?;
        Some(Wait::Lock { kind, addr })
    }

    /// A thread that has ended while holding a lock that another one waits for.
    fn left_locked(&self, thread: ThreadId) -> Option<Event> {
        let is_wanted = |addr: u64| {
            let waits = |state| matches!(state, State::Blocked { wait: Wait::Lock { addr: at, .. }, .. } if at == addr);
            self.threads.iter().any(|thread| waits(thread.state))
        };
        let held = self.sync.locks.held_by(thread).iter().find(|held| is_wanted(held.lock.0))?;
        let action = Action::Holds { kind: held.kind, object: self.object(held.lock.0) };
        Some(self.event(thread, action, held.place))
    }

    /// The name of a thread's wait: what code outside std requested from std.
    pub(crate) fn wait_name(&self, thread: ThreadId) -> Option<WaitName> {
        let frames = self.threads[thread.index()].frames.iter().rev();
        let of_std = frames.flat_map(Frame::activations).take_while(|activation| activation.flags.is_std);
        of_std.filter_map(|activation| activation.flags.waits_for).last()
    }

    /// The action of a thread's wait; `None` if it will end with time.
    pub(crate) fn wait_action(&self, thread: ThreadId, wait: Wait) -> Option<Action> {
        Some(match wait {
            Wait::Lock { kind, addr } => Action::WaitsLock { kind, object: self.object(addr) },
            Wait::Condvar { addr } | Wait::Futex { addr } | Wait::Park { addr } => {
                let object = self.object(addr);
                match (self.wait_name(thread), wait) {
                    (Some(WaitName::Barrier), _) => Action::WaitsBarrier { object },
                    (Some(WaitName::Once), _) => Action::WaitsOnce { object, under_way: true },
                    (Some(WaitName::Initialised), _) => Action::WaitsOnce { object, under_way: false },
                    (Some(WaitName::Scope), _) => Action::WaitsScope { object },
                    (None, Wait::Condvar { .. }) => Action::WaitsCondvar { object },
                    (None, Wait::Futex { .. }) => Action::WaitsFutex { object },
                    (None, _) => Action::WaitsPark { object },
                }
            }
            Wait::Send { addr } => Action::WaitsSend { object: self.object(addr) },
            Wait::Receive { addr } => Action::WaitsReceive { object: self.object(addr) },
            Wait::Join { thread } | Wait::Child { thread: Some(thread) } => Action::WaitsJoin { thread },
            Wait::Descriptors => Action::WaitsSystem { what: self.awaited(thread.index()) },
            Wait::Signals { .. } => Action::WaitsSystem { what: Awaited::Signal },
            Wait::Child { thread: None } | Wait::File { .. } | Wait::Sleep | Wait::Others => return None,
        })
    }

    /// The event of a thread's wait.
    pub(crate) fn wait_event(&mut self, thread: ThreadId) -> Option<Event> {
        let wait = match self.threads[thread.index()].state {
            State::Blocked { wait, .. } => wait,
            // It was woken, but another thread took the lock first.
            State::Runnable => self.lock_wait(thread)?,
            State::Finished => return self.left_locked(thread),
        };
        let action = self.wait_action(thread, wait)?;
        let current = std::mem::replace(&mut self.current, thread.index());
        self.reload();
        let place = self.place();
        self.current = current;
        self.reload();
        Some(self.event(thread, action, place))
    }

    /// Reports a cycle of threads that wait for locks, which the current thread has closed.
    pub(crate) fn report_cycle(&mut self, cycle: &[(ThreadId, LockId)]) {
        self.save_pc();
        if !self.found_stuck(cycle.iter().map(|(thread, _)| *thread).collect()) {
            return;
        }
        let events = cycle.iter().filter_map(|&(thread, _)| self.wait_event(thread)).collect();
        self.report(FindingKind::LockCycle, events);
    }

    /// What a thread waits for, as far as the run can tell how it ends.
    pub(crate) fn wait_state(&self, index: usize) -> WaitState {
        match self.threads[index].state {
            State::Runnable => WaitState::None,
            State::Finished => WaitState::Ended,
            State::Blocked { until: Some(_), .. } => WaitState::Sleep,
            State::Blocked { wait, .. } => match wait {
                Wait::Lock { addr, .. } => WaitState::Lock(LockId(addr)),
                Wait::Condvar { addr } | Wait::Futex { addr } => WaitState::Condvar(addr),
                Wait::Park { .. } => WaitState::Park,
                Wait::Send { addr } | Wait::Receive { addr } => WaitState::Channel(addr),
                Wait::Join { thread } | Wait::Child { thread: Some(thread) } => WaitState::Join(thread),
                Wait::Descriptors if self.is_closed_wait(index) => WaitState::Descriptors,
                Wait::Signals { .. } => WaitState::Descriptors,
                // A process outside may be on the other side.
                Wait::Child { thread: None } | Wait::Descriptors | Wait::File { .. } => WaitState::Sleep,
                Wait::Sleep | Wait::Others => WaitState::Sleep,
            },
        }
    }

    /// No thread can run, and none ever will. Returns whether the reason is in the run: else something outside may
    /// still come.
    pub(crate) fn report_blocked_forever(&mut self) -> bool {
        let states: Vec<WaitState> = (0..self.threads.len()).map(|index| self.wait_state(index)).collect();
        let Some(stuck) = deadlock::on_all_blocked(&states, &self.sync.locks) else {
            return !states.contains(&WaitState::Sleep);
        };
        // A signal may end waits too. Which of them wait for nothing else is not known: all that wait for the system may.
        let by_signals = states.contains(&WaitState::Descriptors);
        let is_handled = self.handled_signals(0) != 0;
        if is_handled && stuck.root == WaitState::Descriptors || !self.signals_are_in_vain(&stuck.chain, by_signals) {
            return false;
        }
        // The chain from the entry's thread, then the other waiting threads, which explain why nobody helps.
        let mut order = stuck.chain;
        for index in 0..self.threads.len() {
            let thread = ThreadId(index as u32);
            if !order.contains(&thread) {
                order.push(thread);
            }
        }
        let is_going = |thread: &ThreadId| self.threads[thread.index()].state != State::Finished;
        if self.found_stuck(order.iter().copied().filter(is_going).collect()) {
            let events = order.into_iter().filter_map(|thread| self.wait_event(thread)).collect();
            self.report(FindingKind::BlockedForever, events);
        }
        true
    }
}
