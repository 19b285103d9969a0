//! What a finding of a harness is worth. A harness may call what is safe to call in any order, so a race is the library's; but
//! it may also wait for what only another caller could give, or call while it holds what an earlier call left it.

use super::entry_runner::{EntryRunner, Silent};
use crate::rules::{self, HarnessPolicy};
use interp::{
    clock::ThreadId,
    finding::{Action, Event, Finding, StackEntry},
    ir::Site,
    run::{Config, Map, RunEnd, RunOutcome},
    sched::{RandomWalk, Scheduler},
};

/// Other schedules that are tried to see whether a wait has an end.
const OTHERS: u64 = 12;

/// Runs of a harness that has started no thread: another value may lead to where one is started.
pub(super) const LONE_RUNS: u32 = 4;

/// Judges the findings of a harness's runs.
#[derive(Default)]
pub(super) struct Judgement {
    /// By the seed that inputs are made of: whether the run comes to its end under some schedule.
    ends: Map<u64, bool>,
}

impl Judgement {
    /// Takes out of a run's findings those that say nothing of the library.
    pub(super) fn judge(&mut self, outcome: &mut RunOutcome, config: &Config, entry: &mut EntryRunner<'_>) {
        outcome.findings.retain(|finding| {
            let is_sure =
                |this: &mut Self, entry: &mut EntryRunner<'_>| this.ends_under_another_schedule(config, entry);
            entry.is_meant(finding)
                && (rules::policy(finding.kind).harnesses != HarnessPolicy::WithinCallsForever
                    || is_closed(finding)
                    || entry.is_only_call() && is_sure(self, entry))
        });
    }

    /// A call that never comes back may have been wrong, and of several calls one may take what another waits for; one that
    /// comes back under another schedule was not.
    fn ends_under_another_schedule(&mut self, config: &Config, entry: &mut EntryRunner<'_>) -> bool {
        if let Some(known) = self.ends.get(&config.seed) {
            return *known;
        }
        let ends = (1..=OTHERS).any(|other| {
            let mut scheduler = RandomWalk::new();
            scheduler.begin_run(config.seed.wrapping_add(other));
            let outcome = entry.run(config, &mut scheduler, &mut Silent);
            matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_))
        });
        self.ends.insert(config.seed, ends);
        ends
    }
}

/// Whether the caller waits for the end of a thread that waits, itself or by another's end, for a lock that the caller holds:
/// whatever else is called, neither goes on.
fn is_closed(finding: &Finding) -> bool {
    let of = |thread: ThreadId| finding.events.iter().find(|event| event.thread == thread);
    let mut thread = ThreadId::ENTRY;
    for _ in &finding.events {
        match of(thread).map(|event| &event.action) {
            Some(Action::WaitsJoin { thread: joined }) => thread = *joined,
            Some(Action::WaitsLock { object, .. }) if thread != ThreadId::ENTRY => {
                let holds = |event: &Event| event.held.iter().any(|(_, held, _)| held.addr == object.addr);
                return of(ThreadId::ENTRY).is_some_and(holds);
            }
            _ => return false,
        }
    }
    false
}

impl EntryRunner<'_> {
    /// Whether a finding says something of the program: what a harness holds from one call to another is its own affair.
    pub(super) fn is_meant(&self, finding: &Finding) -> bool {
        let is_within_a_call = |event: &Event| {
            let call = self.harness_call(&event.stack);
            event.thread != ThreadId::ENTRY || event.held.iter().all(|(.., taken)| self.harness_call(taken) == call)
        };
        let is_all = rules::policy(finding.kind).harnesses == HarnessPolicy::All;
        !self.is_harness() || is_all || finding.events.iter().all(is_within_a_call)
    }

    /// Whether the harness calls one function of the workspace's.
    fn is_only_call(&mut self) -> bool {
        self.harness_calls() == 1
    }

    /// The call of a harness that a stack lies in.
    pub(super) fn harness_call(&self, stack: &[StackEntry]) -> Option<Site> {
        stack.iter().rev().find(|entry| self.is_harness_frame(entry)).map(|entry| entry.site)
    }
}
