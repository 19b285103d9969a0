//! Minimises the thread switches that show a finding: delta debugging over the segments of its schedule (Zeller and
//! Hildebrandt, TSE'02; over context switches, Jalbert and Sen, FSE'10).
//!
//! Deterministic, and bounded in runs and steps. Each attempt follows some segments of the best schedule so far. The
//! choices that it actually made are recorded, so following a schedule only in part is fine. Guarantee: replaying the
//! resulting schedule shows the finding.

use super::{entry_runner::EntryRunner, harness::OnlyCall, merge::WantedFinding, prefix::LONG};
use crate::{
    rules::{self, HarnessPolicy},
    std_models::harness::LeftOutCalls,
    witness::Witness,
};
use interp::{
    finding::Finding,
    run::{Config, GoesBehind, Prefix},
    sched::{Guided, Note, RandomWalk, Recorder, Replayer, Scheduler, Segment, WakeUps},
};
use std::cmp::Reverse;

/// Maximum number of runs for a finding.
const MAX_RUNS: u32 = 60;
/// Maximum number of steps for all findings of an entry.
const MAX_STEPS: u64 = 5_000_000;

/// A recorded run, up to a finding.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) witness: Witness,
    /// One for each choice.
    pub(super) notes: Vec<Note>,
    /// The step of the finding.
    pub(super) step: u64,
}

impl Recording {
    /// The part of a recorded run up to a finding.
    pub(super) fn of<S: Scheduler>(finding: &Finding, config: &Config, recorder: &Recorder<S>) -> Recording {
        let choices = finding.choices as usize;
        let schedule = recorder.schedule().prefix(choices);
        let Config { seed, concurrent_seed, beginning_points, wake_ups, jitter, goes_behind, .. } = *config;
        let left_out = LeftOutCalls::of(&config.forced_choices);
        let witness = Witness {
            seed,
            concurrent_seed,
            beginning_points,
            wake_ups,
            jitter,
            left_out,
            behind_panics: goes_behind == GoesBehind::Panics,
            max_steps: Witness::bound_for(finding.step),
            schedule,
        };
        Recording { witness, notes: recorder.notes().iter().take(choices).copied().collect(), step: finding.step }
    }

    /// The cost to minimise, in order of weight: calls, preemptions, all switches, points, conditions.
    fn cost(&self) -> (Reverse<u32>, usize, usize, usize, bool, u64, Option<u64>) {
        let choices = &self.witness.schedule.choices;
        let preempting = self.notes.iter().filter(|note| note.preempts).count();
        let switches = choices.chunk_by(|a, b| a == b).count();
        let Witness { seed, concurrent_seed, wake_ups, left_out, .. } = self.witness;
        let calls = Reverse(left_out.count());
        (calls, preempting, switches, choices.len(), wake_ups != WakeUps::Exact, seed, concurrent_seed)
    }

    pub(super) fn segments(&self) -> Vec<Segment> {
        Segment::of(&self.witness.schedule, &self.notes)
    }
}

/// The shortest witness for a recorded finding, and the finding as it shows it; `None` if it does not replay. `only` is
/// the call that a harness's finding needs, if that is a single one.
pub(super) fn minimise(
    recording: Recording,
    wanted: &WantedFinding,
    only: Option<OnlyCall>,
    entry: &mut EntryRunner<'_>,
    spent: &mut u64,
) -> Option<(Witness, Finding)> {
    let wanted = wanted.clone();
    let mut search = Search { best: recording, wanted, entry, spent, runs: MAX_RUNS, prefix: None };
    if let Some(only) = only {
        search.leave_out_other_calls(only);
    }
    search.drop_conditions();
    search.leave_out_calls();
    search.drop_all_but_the_last();
    while search.drop_segments() || search.let_threads_run_on() {}
    let mut witness = search.best.witness;
    // Choices that are made by default are left out.
    let needed = search.best.notes.iter().rposition(|note| !note.by_default).map_or(0, |last| last + 1);
    witness.schedule = witness.schedule.prefix(needed);
    let finding = show(&witness, &search.wanted, search.entry)?;
    Some((witness, finding))
}

/// The finding that a witness shows.
fn show(witness: &Witness, wanted: &WantedFinding, entry: &mut EntryRunner<'_>) -> Option<Finding> {
    let mut replayer = Replayer::new(witness.schedule.clone());
    let outcome = entry.run(&witness.config(), &mut replayer);
    wanted.find(&outcome.findings, witness.wake_ups, entry)
}

struct Search<'a, 'db> {
    best: Recording,
    wanted: WantedFinding,
    entry: &'a mut EntryRunner<'db>,
    spent: &'a mut u64,
    runs: u32,
    /// The long beginning of the last run from a start.
    prefix: Option<Prefix>,
}

impl Search<'_, '_> {
    /// Makes a run under the conditions of a witness; records it if it shows the finding at lower cost.
    fn attempt(&mut self, conditions: &Witness, scheduler: impl Scheduler) -> bool {
        self.attempt_with(conditions, conditions.seed, scheduler)
    }

    fn attempt_with(&mut self, conditions: &Witness, schedule_seed: u64, scheduler: impl Scheduler) -> bool {
        let Witness { seed, concurrent_seed, wake_ups, left_out, .. } = *conditions;
        if self.runs == 0 || *self.spent >= MAX_STEPS {
            return false;
        }
        self.runs -= 1;
        // Another order takes other paths, but a much longer run is of no use.
        let most = self.best.witness.config().max_steps;
        let max_steps = most.min(self.best.step.saturating_mul(2) + 100_000);
        let Witness { beginning_points, jitter, .. } = self.best.witness;
        let (goes_behind, forced_choices) = (self.best.witness.goes_behind(), left_out.choices());
        let limits = Config { prefix_steps: max_steps, max_steps, goes_behind, forced_choices, ..Config::default() };
        let mut config = Config { seed, concurrent_seed, beginning_points, wake_ups, jitter, ..limits };
        let mut recorder = Recorder::new(scheduler);
        recorder.begin_run(schedule_seed);
        let outcome = match self.prefix.as_ref().filter(|prefix| prefix.seed() == seed) {
            Some(prefix) => {
                let outcome = self.entry.continue_run(prefix, &config, &mut recorder);
                *self.spent += outcome.steps - prefix.steps();
                outcome
            }
            None => {
                let (outcome, prefix) = self.entry.run_and_keep(&config, &mut recorder, LONG);
                // The beginning of the recorded run does not count: the search needs it.
                let is_recorded = seed == self.best.witness.seed;
                let before = prefix.as_ref().filter(|_| is_recorded).map_or(0, Prefix::steps);
                *self.spent += outcome.steps - before;
                self.prefix = prefix.or(self.prefix.take());
                outcome
            }
        };
        let Some(finding) = self.wanted.find(&outcome.findings, wake_ups, self.entry) else {
            return false;
        };
        // What no thread comes to need not be left out.
        let made = &outcome.harness_choices.made;
        config.forced_choices.retain(|(of, _)| made.iter().any(|it| *it.label == **of));
        let found = Recording::of(&finding, &config, &recorder);
        let is_better = found.cost() < self.best.cost();
        if is_better {
            self.best = found;
        }
        is_better
    }

    fn follow(&mut self, segments: Vec<Segment>) -> bool {
        self.attempt(&self.best.witness.clone(), Guided::new(segments))
    }

    /// Most findings need neither the seed of their run nor early wake-ups.
    fn drop_conditions(&mut self) {
        let first = self.best.witness.clone();
        if first.seed != 0 && !self.rests_on_other_runs() {
            let without_seeds = Witness { seed: 0, concurrent_seed: None, ..first.clone() };
            let is_better = self.attempt(&without_seeds, Replayer::new(first.schedule.clone()));
            if !is_better && first.concurrent_seed.is_some() {
                let without_second = Witness { concurrent_seed: None, ..first.clone() };
                self.attempt(&without_second, Replayer::new(first.schedule));
            }
        }
        if self.best.witness.wake_ups != WakeUps::Exact {
            let exact = Witness { wake_ups: WakeUps::Exact, ..self.best.witness.clone() };
            self.attempt(&exact, Guided::new(self.best.segments()));
        }
    }

    /// Leaves out each call of a harness that the finding does not need.
    fn leave_out_calls(&mut self) {
        if !self.entry.calls_from_threads() || self.rests_on_other_runs() {
            return;
        }
        for left_out in self.best.witness.left_out.with_another() {
            let left_out = left_out.and(self.best.witness.left_out);
            let without = Witness { left_out, ..self.best.witness.clone() };
            self.attempt(&without, Guided::new(self.best.segments()));
        }
    }

    /// Leaves out all calls of a harness except for the one that shows the finding alone.
    fn leave_out_other_calls(&mut self, only: OnlyCall) {
        let OnlyCall { left_out, schedule_seed, sites } = only;
        // Other calls may wait too.
        let before = std::mem::replace(&mut self.wanted.sites, sites);
        let alone = Witness { left_out, wake_ups: WakeUps::Exact, ..self.best.witness.clone() };
        if !self.attempt_with(&alone, schedule_seed, RandomWalk::new()) {
            self.wanted.sites = before;
        }
    }

    /// Whether the finding of a harness is told because of what other runs with the same calls and inputs do.
    fn rests_on_other_runs(&self) -> bool {
        let policy = rules::policy(self.wanted.sites.kind()).harnesses;
        self.entry.calls_from_threads()
            && matches!(policy, HarnessPolicy::WithinCallsForever | HarnessPolicy::NotInSerialOrder)
    }

    /// Tries no preemption, or only the last few: what matters is near the end.
    fn drop_all_but_the_last(&mut self) {
        if self.best.cost().1 == 0 || self.follow(Vec::new()) {
            return;
        }
        for kept in 0..4 {
            let mut segments = self.best.segments();
            let mut stopped = 0;
            for segment in segments.iter_mut().rev().filter(|segment| segment.choices.is_some()) {
                stopped += 1;
                if stopped > kept {
                    segment.choices = None;
                }
            }
            if stopped <= kept || self.follow(segments) {
                return;
            }
        }
    }

    /// Removes segments, many at once first.
    fn drop_segments(&mut self) -> bool {
        let mut is_better = false;
        let mut size = self.best.segments().len() / 2;
        while size > 0 {
            let mut start = 0;
            loop {
                let mut segments = self.best.segments();
                if start >= segments.len() {
                    break;
                }
                segments.drain(start..segments.len().min(start + size));
                if self.follow(segments) {
                    is_better = true;
                } else {
                    start += size;
                }
                if self.runs == 0 {
                    return is_better;
                }
            }
            size = if size == 1 { 0 } else { size.min(self.best.segments().len()).div_ceil(2) };
        }
        is_better
    }

    /// Lets each preempted thread run on as long as it can.
    fn let_threads_run_on(&mut self) -> bool {
        let mut is_better = false;
        for index in (0..self.best.segments().len()).rev() {
            let mut segments = self.best.segments();
            if let Some(segment) = segments.get_mut(index).filter(|segment| segment.choices.is_some()) {
                segment.choices = None;
                is_better |= self.follow(segments);
            }
        }
        is_better
    }
}
