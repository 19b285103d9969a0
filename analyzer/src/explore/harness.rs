//! Which findings of a harness are real. A harness may call safe functions in any order, so a race is the library's.
//! But it may also wait for something that only another caller provides, or make a call while it holds the result of an
//! earlier one.

use super::{entry_runner::EntryRunner, merge::Sites};
use crate::{
    report_text::is_in_future,
    rules::{self, HarnessPolicy},
    sites::BodySite,
    std_models::harness::{HelperRole, LeftOutCalls, POLLED},
    witness::Witness,
};
use interp::{
    clock::ThreadId,
    finding::{Action, Event, Finding, FindingKind, Owner, StackEntry},
    harness_calls::{HarnessChoices, UnfinishedCall},
    ir::Site,
    run::{Config, Map, Raised, RunEnd, RunOutcome},
    sched::{RandomWalk, Scheduler, Serial, WakeUps},
};

/// Number of other schedules that are tried to see whether a wait ends.
const OTHERS: u64 = 12;

/// Maximum number of orders of whole calls. Two threads with three calls each have 20, a third with one call more 140.
const SERIAL_ORDERS: usize = 160;
/// Maximum number of input seeds of an entry whose orders of whole calls are run: of those at one place of which none is
/// told, and in all.
const SERIAL_SEEDS_OF_PLACE: u32 = 8;
const SERIAL_SEEDS: usize = 64;
/// Number of steps of these runs of an entry after which none is started.
const SERIAL_STEPS: u64 = 20_000_000;

/// Maximum number of input seeds for which findings at one place, of which none is told, are compared with runs of one
/// call alone, and of schedules of each.
const ALONE_SEEDS_OF_PLACE: u32 = 8;
const ALONE_SCHEDULES: u64 = 16;

/// Runs of a harness that has started no thread: another value may lead to code that starts one.
pub(super) const LONE_RUNS: u32 = 4;

/// The only call that a finding needs.
#[derive(Clone, Debug)]
pub(super) struct OnlyCall {
    /// The others.
    pub(super) left_out: LeftOutCalls,
    /// The seed of a random walk that shows the finding, which fewer threads may then take part in.
    pub(super) schedule_seed: u64,
    pub(super) sites: Sites,
}

/// Filters the findings of a harness's runs.
#[derive(Default)]
pub(super) struct HarnessFilter {
    /// For each input seed: whether the run ends under some schedule.
    ends: Map<u64, bool>,
    /// For each input seed: the runs in which calls do not overlap; `None` if one of them does not end well.
    serial: Map<(u64, Option<u64>), Option<Vec<Raised>>>,
    /// The number of these seeds, with those of other workers.
    serial_seeds: usize,
    /// How often findings at a place were compared with such runs since the last one that was told.
    in_vain: Map<Option<BodySite>, u32>,
    /// The steps of these runs.
    serial_steps: u64,
    /// The steps of runs without what dropped futures did.
    dropping_steps: u64,
    /// For each input seed and the calls that are left out: how the only call hangs, if it does by chance.
    alone: Map<(u64, Option<u64>, LeftOutCalls), Option<OnlyCall>>,
    /// How often findings at a place were compared with calls alone since the last one that was told.
    alone_in_vain: Map<Option<BodySite>, u32>,
    /// The steps of calls alone.
    alone_steps: u64,
}

impl HarnessFilter {
    /// Another worker may make the next runs: its functions have other numbers.
    pub(super) fn change_worker(&mut self) {
        self.serial.clear();
        self.alone.clear();
    }

    /// Removes the findings of a run that say nothing about the library.
    pub(super) fn judge(&mut self, outcome: &mut RunOutcome, config: &Config, entry: &mut EntryRunner<'_>) {
        let is_unexpected =
            |it: &&Finding| rules::policy(it.kind).harnesses == HarnessPolicy::NotInSerialOrder && entry.is_meant(it);
        let unexpected: Vec<_> = outcome.findings.iter().filter(is_unexpected).map(place).collect();
        let raised = outcome.raised.places.clone();
        let choices = &outcome.harness_choices;
        outcome.findings.retain(|finding| {
            let is_told = entry.is_meant(finding)
                && match rules::policy(finding.kind).harnesses {
                    HarnessPolicy::WithinCallsForever => {
                        is_closed(finding)
                            || hangs_alone(choices, finding, config, entry)
                            || self.hangs_alone_by_chance(choices, finding, config, entry)
                            || self.is_lost_by_dropping(choices, finding, config, entry)
                            || entry.is_only_call() && self.ends_under_another_schedule(config, entry)
                            || !waits_in_callback(finding, entry)
                                && self.serial_runs(finding, config, entry).is_some_and(|runs| {
                                    // A panic of another call may explain the wait.
                                    raised.iter().all(|at| runs.iter().any(|run| run.places.contains(at)))
                                })
                    }
                    HarnessPolicy::NotInSerialOrder => {
                        self.serial_runs(finding, config, entry).is_some_and(|runs| {
                            let is_new = |at: &StackEntry| !runs.iter().any(|run| run.places.contains(at));
                            // A panic that is expected, or that the serial runs show too, may explain the others, as by a
                            // poisoned lock.
                            let is_told = |at: &StackEntry| is_new(at) && unexpected.contains(&Some(*at));
                            raised.iter().all(is_told) && place(finding).is_some_and(|at| is_new(&at))
                        })
                    }
                    HarnessPolicy::All | HarnessPolicy::WithinCalls | HarnessPolicy::Never => true,
                };
            if is_told {
                let site = site_of(finding, entry);
                self.in_vain.swap_remove(&site);
                self.alone_in_vain.swap_remove(&site);
            }
            is_told
        });
    }

    /// The panics of each run in which calls from two threads do not overlap, if all of these end well. What no such run
    /// shows is not the fault of the order of the calls.
    fn serial_runs(&mut self, finding: &Finding, config: &Config, entry: &mut EntryRunner<'_>) -> Option<&[Raised]> {
        let in_vain = self.in_vain.entry(site_of(finding, entry)).or_default();
        *in_vain += 1;
        if *in_vain > SERIAL_SEEDS_OF_PLACE {
            return None;
        }
        let seeds = (config.seed, config.concurrent_seed);
        if !self.serial.contains_key(&seeds) {
            if !entry.calls_from_threads() || self.serial_seeds >= SERIAL_SEEDS {
                return None;
            }
            let runs = run_serially(config, entry, &mut self.serial_steps);
            self.serial.insert(seeds, runs);
            self.serial_seeds += 1;
        }
        self.serial.get(&seeds)?.as_deref()
    }

    /// Whether a wait never ends because a future was dropped before it was ready: it ends if the future is polled to its
    /// end, and if the call is not made at all, under schedules of which some show the wait otherwise.
    fn is_lost_by_dropping(
        &mut self,
        choices: &HarnessChoices,
        finding: &Finding,
        config: &Config,
        entry: &mut EntryRunner<'_>,
    ) -> bool {
        let label = |choice: usize| choices.made.get(choice).map(|it| &*it.label);
        let labels: Vec<&[u8]> = choices.dropped.iter().filter_map(|it| label(it.choice)).collect();
        let stacks = choices.dropped.iter().map(|it| &it.stack).chain(finding.events.iter().map(|it| &it.stack));
        if labels.is_empty() || stacks.into_iter().any(|stack| rules::warns_of_dropping(entry.docs_of_called(stack))) {
            return false;
        }
        let polled = labels.iter().map(|label| ([label, POLLED.as_bytes()].concat(), 0)).collect();
        let not_made = labels.iter().map(|label| (label.to_vec(), u64::MAX)).collect();
        let mut is_any_hanging = |forced_choices| {
            let config = Config { forced_choices, wake_ups: WakeUps::Exact, ..config.clone() };
            (0..OTHERS).any(|other| {
                self.dropping_steps < SERIAL_STEPS && {
                    let mut scheduler = RandomWalk::new();
                    scheduler.begin_run(config.seed.wrapping_add(other));
                    let outcome = entry.run(&config, &mut scheduler);
                    self.dropping_steps += outcome.steps;
                    !matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_))
                }
            })
        };
        let shows = is_any_hanging(Vec::new()) && [polled, not_made].into_iter().all(|it| !is_any_hanging(it));
        shows && self.dropping_steps < SERIAL_STEPS
    }

    /// Whether a call that did not return does the same without the other calls, but not under each schedule: then nobody
    /// else has taken what it waits for, and the library's own threads decide whether it returns. One of them has done
    /// something after a part of the call.
    fn hangs_alone_by_chance(
        &mut self,
        choices: &HarnessChoices,
        finding: &Finding,
        config: &Config,
        entry: &mut EntryRunner<'_>,
    ) -> bool {
        let in_vain = self.alone_in_vain.entry(site_of(finding, entry)).or_default();
        *in_vain += 1;
        if *in_vain > ALONE_SEEDS_OF_PLACE || !entry.calls_from_threads() {
            return false;
        }
        calls_alone(choices).any(|left_out| {
            let key = (config.seed, config.concurrent_seed, left_out);
            if let Some(known) = self.alone.get(&key) {
                return known.is_some();
            }
            let config = Config { forced_choices: left_out.choices(), wake_ups: WakeUps::Exact, ..config.clone() };
            let (mut hangs, mut returns) = (None, false);
            for other in 0..ALONE_SCHEDULES {
                if hangs.is_some() && returns || self.alone_steps >= SERIAL_STEPS {
                    break;
                }
                let schedule_seed = config.seed.wrapping_add(other);
                let mut scheduler = RandomWalk::new();
                scheduler.begin_run(schedule_seed);
                let outcome = entry.run(&config, &mut scheduler);
                self.alone_steps += outcome.steps;
                returns |= matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_));
                // A call that nobody has heard may wait for what the library does by itself, such as the next change.
                let is_heard = outcome.harness_choices.unfinished.iter().any(|it| it.is_heard);
                let is_same = |it: &&Finding| it.kind == finding.kind && place(it) == place(finding);
                if let Some(same) = outcome.findings.iter().find(is_same).filter(|_| is_heard) {
                    hangs.get_or_insert_with(|| OnlyCall { left_out, schedule_seed, sites: Sites::of(same) });
                }
            }
            self.alone.entry(key).or_insert(hangs.filter(|_| returns)).is_some()
        })
    }

    /// The only call that a run's deadlock needs, if that is known.
    pub(super) fn only_call(&self, witness: &Witness) -> Option<OnlyCall> {
        let of_run = |it: &&(u64, Option<u64>, LeftOutCalls)| (it.0, it.1) == (witness.seed, witness.concurrent_seed);
        self.alone.iter().filter(|(key, _)| of_run(key)).find_map(|(_, only)| only.clone())
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

/// The operation in the workspace that a finding is at.
fn place(finding: &Finding) -> Option<StackEntry> {
    finding.events.first().and_then(|event| StackEntry::nearest(&event.stack))
}

/// A test whose future is suspended for the calls does not take part in a deadlock.
pub(super) fn leave_out_test(finding: &mut Finding) {
    let is_test = |event: &Event| {
        let takes_part = matches!(event.action, Action::WaitsLock { .. } | Action::WaitsOnce { .. });
        event.thread == ThreadId::ENTRY && !takes_part
    };
    let is_deadlock = finding.kind == FindingKind::BlockedForever && is_in_future(finding);
    if is_deadlock && !finding.events.iter().all(is_test) {
        finding.events.retain(|event| !is_test(event));
    }
}

/// Whether a callback that calls the object again waits there. What it waits for may be what the call that it is in has
/// taken, such as a place in a pool: then too many calls are in one another, and no library can help.
fn waits_in_callback(finding: &Finding, entry: &EntryRunner<'_>) -> bool {
    finding.events.iter().any(|event| entry.calls_back(&event.stack))
}

/// The same as a place of the source.
fn site_of(finding: &Finding, entry: &EntryRunner<'_>) -> Option<BodySite> {
    place(finding).and_then(|at| entry.site(at.func, at.site))
}

fn run_serially(config: &Config, entry: &mut EntryRunner<'_>, steps: &mut u64) -> Option<Vec<Raised>> {
    let config = Config { wake_ups: WakeUps::Exact, ..config.clone() };
    let mut scheduler = Serial::default();
    let mut runs = Vec::new();
    while *steps < SERIAL_STEPS {
        scheduler.begin_run(config.seed);
        let outcome = entry.run(&config, &mut scheduler);
        *steps += outcome.steps;
        let is_complete = matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(_)) && !outcome.raised.has_more;
        if !is_complete || runs.len() >= SERIAL_ORDERS {
            return None;
        }
        runs.push(outcome.raised);
        if !scheduler.advance() {
            return Some(runs);
        }
    }
    None
}

/// For each call that was under way at the end of a run, all others.
fn calls_alone(choices: &HarnessChoices) -> impl Iterator<Item = LeftOutCalls> {
    let label = |it: &UnfinishedCall| choices.made.get(it.choice).map(|choice| &*choice.label);
    choices.unfinished.iter().filter_map(label).map(LeftOutCalls::all_but)
}

/// Whether the only wait is for a lock of lock_api's traits, and comes without any other call: the call that waits has the
/// lock itself. Nothing else says who holds such a lock.
fn hangs_alone(choices: &HarnessChoices, finding: &Finding, config: &Config, entry: &mut EntryRunner<'_>) -> bool {
    let wait = |finding: &Finding, entry: &EntryRunner<'_>| match finding.events.as_slice() {
        [only] if only.stack.iter().any(|it| entry.is_raw_lock(it)) => StackEntry::nearest(&only.stack),
        _ => None,
    };
    let Some(place) = wait(finding, entry).filter(|_| entry.calls_from_threads()) else { return false };
    calls_alone(choices).any(|left_out| {
        let config = Config { forced_choices: left_out.choices(), wake_ups: WakeUps::Exact, ..config.clone() };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(config.seed);
        let outcome = entry.run(&config, &mut scheduler);
        outcome.findings.iter().any(|it| wait(it, entry) == Some(place))
    })
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
    /// Whether a finding says something about the program: what a harness holds between calls is its own choice, and a
    /// panic may be what the documentation says.
    pub(super) fn is_meant(&self, finding: &Finding) -> bool {
        let is_within_a_call = |event: &Event| {
            let call = self.harness_call(&event.stack);
            let is_within = |taken: &[StackEntry]| event.thread != ThreadId::ENTRY || self.harness_call(taken) == call;
            event.held.iter().all(|(.., taken)| is_within(taken) && !self.is_for_argument(taken, &event.stack))
        };
        if !self.is_harness() {
            return !self.may_be_ended_by_tests(finding);
        }
        match rules::policy(finding.kind).harnesses {
            HarnessPolicy::All => true,
            HarnessPolicy::WithinCalls | HarnessPolicy::WithinCallsForever => {
                finding.events.iter().all(is_within_a_call) && !self.is_forbidden_callback(finding)
            }
            HarnessPolicy::NotInSerialOrder => {
                self.calls_from_threads() && finding.events.iter().all(|event| self.is_unexpected(&event.stack))
            }
            HarnessPolicy::Never => false,
        }
    }

    /// Whether a harness took a lock to make an argument, and `now` is in the call that the argument is for.
    fn is_for_argument(&self, taken: &[StackEntry], now: &[StackEntry]) -> bool {
        let role = |entry: &StackEntry| self.program.helper_role(entry.func);
        taken.windows(2).any(|it| match it {
            [inner, outer] if role(outer) == Some(HelperRole::Chooses) => {
                role(inner) != Some(HelperRole::Calls) && !now.contains(outer)
            }
            _ => false,
        })
    }

    /// Whether a callback calls the object again, and the docs warn of that.
    fn is_forbidden_callback(&self, finding: &Finding) -> bool {
        finding.events.iter().any(|event| self.calls_back(&event.stack) && self.warns_of_callbacks(&event.stack))
    }

    /// Whether other tests, which run at the same time, may end a wait: it is for something in a static that they use too.
    fn may_be_ended_by_tests(&self, finding: &Finding) -> bool {
        let is_lock = |action: &Action| matches!(action, Action::WaitsLock { .. } | Action::WaitsOnce { .. });
        let is_shared = |event: &Event| match event.action.object().map(|it| it.owner) {
            Some(Owner::Global(global)) if !is_lock(&event.action) => self.is_used_by_other_tests(global),
            _ => false,
        };
        finding.kind == FindingKind::BlockedForever && finding.events.iter().any(is_shared)
    }

    /// Whether the author of the called function expects no panic.
    fn is_unexpected(&self, stack: &[StackEntry]) -> bool {
        let text = self.operation(stack).unwrap_or_default();
        !rules::is_expected_panic(&text, self.docs_of_called(stack))
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
