//! Which findings of a harness are real. A harness may call safe functions in any order, so a race is the library's.
//! But it may also wait for something that only another caller provides, or make a call while it holds the result of an
//! earlier one.

use super::entry_runner::EntryRunner;
use crate::rules::{self, HarnessPolicy};
use interp::{
    clock::ThreadId,
    finding::{Action, Event, Finding, StackEntry},
    ir::Site,
    run::{Config, Map, RunEnd, RunOutcome},
    sched::{RandomWalk, Scheduler},
};

/// Number of other schedules that are tried to see whether a wait ends.
const OTHERS: u64 = 12;

/// Runs of a harness that has started no thread: another value may lead to code that starts one.
pub(super) const LONE_RUNS: u32 = 4;

/// Filters the findings of a harness's runs.
#[derive(Default)]
pub(super) struct HarnessFilter {
    /// For each input seed: whether the run ends under some schedule.
    ends: Map<u64, bool>,
}

impl HarnessFilter {
    /// Removes the findings of a run that say nothing about the library.
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

    /// A call that never returns may have been wrong, and one of several calls may take what another waits for. A call
    /// that returns under another schedule was right.
    fn ends_under_another_schedule(&mut self, config: &Config, entry: &mut EntryRunner<'_>) -> bool {
        if let Some(known) = self.ends.get(&config.seed) {
            return *known;
        }
        let ends = (1..=OTHERS).any(|other| {
            let mut scheduler = RandomWalk::new();
            scheduler.begin_run(config.seed.wrapping_add(other));
            let outcome = entry.run(config, &mut scheduler);
            matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_))
        });
        self.ends.insert(config.seed, ends);
        ends
    }
}

/// Whether the caller waits for the end of a thread that waits, directly or through other threads, for a lock that the
/// caller holds: no further call could resolve that.
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
    /// Whether a finding says something about the program: what a harness holds between calls is its own choice.
    pub(super) fn is_meant(&self, finding: &Finding) -> bool {
        let is_within_a_call = |event: &Event| {
            let call = self.harness_call(&event.stack);
            event.thread != ThreadId::ENTRY || event.held.iter().all(|(.., taken)| self.harness_call(taken) == call)
        };
        let is_all = rules::policy(finding.kind).harnesses == HarnessPolicy::All;
        !self.is_harness()
            || is_all
            || rules::policy(finding.kind).harnesses != HarnessPolicy::Never
                && finding.events.iter().all(is_within_a_call)
    }

    /// Whether the harness calls one function of the workspace only.
    fn is_only_call(&mut self) -> bool {
        !self.calls_from_threads() && self.harness_calls() == 1
    }

    /// The site of the harness's call that a stack is in.
    pub(super) fn harness_call(&self, stack: &[StackEntry]) -> Option<Site> {
        stack.iter().rev().find(|entry| self.is_harness_frame(entry)).map(|entry| entry.site)
    }
}
