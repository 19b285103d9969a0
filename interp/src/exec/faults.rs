//! Undefined behaviour that ends a run, as a finding. Whether it depends on the schedule is asked of other runs
//! elsewhere.

use crate::finding::{Action, FindingKind};
use crate::machine::Machine;
use crate::memory::{Fault, Memory};
use crate::run::RunEnd;

/// Whether a fault is the program's: the others are limits of the machine.
fn is_of_program(fault: Fault) -> bool {
    match fault {
        Fault::Null { .. }
        | Fault::Freed { .. }
        | Fault::Ended { .. }
        | Fault::OutOfRange { .. }
        | Fault::ReadOnly { .. }
        | Fault::NotAFunction { .. }
        | Fault::BadFree { .. }
        | Fault::Unreachable => true,
        Fault::BadUnlock { .. } | Fault::GlobalInit | Fault::BadCoroutine { .. } | Fault::BadCode => false,
    }
}

/// The address that a fault is about.
fn address(fault: Fault) -> u64 {
    match fault {
        Fault::Null { addr }
        | Fault::Freed { addr }
        | Fault::Ended { addr }
        | Fault::OutOfRange { addr, .. }
        | Fault::ReadOnly { addr }
        | Fault::NotAFunction { addr }
        | Fault::BadFree { addr }
        | Fault::BadUnlock { addr }
        | Fault::BadCoroutine { addr } => addr,
        Fault::Unreachable | Fault::GlobalInit | Fault::BadCode => 0,
    }
}

impl Machine<'_> {
    /// Whether unordered accesses or calls were found: what happens afterwards may follow from them.
    pub(crate) fn has_raced(&self) -> bool {
        let is_race = |kind| matches!(kind, FindingKind::DataRace | FindingKind::ThreadSafetyViolation);
        self.findings.iter().any(|it| is_race(it.kind))
    }

    /// At the end of the run: reports the fault that ended it, unless it follows from a data race.
    pub(crate) fn report_fault(&mut self, end: &RunEnd) {
        let &RunEnd::Fault { fault, .. } = end else { return };
        // It was reported where it happened.
        if self.fault.is_some() {
            return;
        }
        self.report_fault_here(fault);
    }

    /// Reports a fault of the current instruction, unless it follows from a data race.
    pub(crate) fn report_fault_here(&mut self, fault: Fault) {
        if !self.concurrent || !is_of_program(fault) || self.has_raced() || self.process != self.threads[0].process {
            return;
        }
        let (thread, place, object) = (self.thread_id(), self.place(), self.object(address(fault)));
        let event = self.event(thread, Action::Faults { fault, object }, place);
        let index = Memory::split(address(fault)).0;
        let freed = self.freed_by(index).map(|(thread, place)| {
            let mut event = self.event(thread, Action::Frees { object }, place);
            // The locks that it holds now say nothing about then.
            event.held.clear();
            (event, place)
        });
        let first = freed.as_ref().map(|(event, place)| (event, Memory::address(index, 0), *place));
        let trace = self.steps_with_accesses(first, &event);
        let events = [event].into_iter().chain(freed.map(|(event, _)| event)).collect();
        self.report_with(FindingKind::EntryFaulted, events, trace);
    }
}
