//! Determines whether a failure depends on the schedule: whether the same inputs end well under another one (decision
//! 35).

use super::{
    entry_runner::EntryRunner,
    merge::{Sites, SourceSites, is_reported},
    prefix::LONG,
};
use crate::rules::{self, Parting};
use interp::{
    clock::ThreadId,
    finding::{Action, Finding, StackEntry},
    run::{Config, Jitter, MOST_RANDOM, Map, Prefix, RunEnd, RunOutcome},
    sched::{RandomWalk, Recorder, Replayer, Schedule, Scheduler, WakeUps},
    term::Origin,
};

/// Maximum number of beginnings of the failing schedule that are followed, the longest first: half as many as random
/// schedules, but two at least.
const BEGINNINGS: u64 = 6;
const LEAST_BEGINNINGS: u64 = 2;
/// Number of random schedules that are tried afterwards, for the first run with a set of failures, the second and the
/// third: most failures have other causes than the schedule, and they show in many runs.
const OTHERS: [u64; 3] = [3, 6, 12];
/// The same, for a finding that is reported.
const MANY_OTHERS: u64 = 48;
/// Maximum number of sets of failures of an entry that are compared with other runs.
const MOST_SETS: usize = 16;
/// These runs may take so many steps, or this part of those that the entry's own runs took.
const FEW_STEPS: u64 = 2_000_000;
const PART_OF_STEPS: u64 = 2;
/// The number of sets that are compared, once each, before any run has ended well: some programs never do.
const FIRST_SETS: usize = 2;

/// A run with the same inputs that ends well.
pub(super) struct Contrast {
    /// The failure that it does not have: the first one, which the later ones may follow from.
    sites: SourceSites,
    /// The first choice that differs.
    pub(super) parting: Option<Parting>,
    schedule: Schedule,
}

/// For each set of failures of an entry's runs, the one that depends on the schedule. It serves for all workers.
#[derive(Default)]
pub(super) struct Contrasts {
    /// For each set: the one of them, and the number of attempts in vain.
    known: Map<Vec<SourceSites>, (Option<SourceSites>, usize)>,
    /// For each of these, the first schedule that was found to end well.
    schedules: Map<SourceSites, Schedule>,
    /// Whether any run has ended well.
    has_good_end: bool,
    spent: u64,
}

impl Contrasts {
    /// Of the findings of a run that are bugs only if they depend on the schedule, keeps the one that does. The runs of
    /// the entry took so many steps.
    pub(super) fn judge<S: Scheduler>(
        &mut self,
        outcome: &mut RunOutcome,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut EntryRunner<'_>,
        steps: u64,
    ) {
        self.has_good_end |= ends_well(outcome);
        if !outcome.findings.iter().any(is_failure) {
            return;
        }
        let failures = failures_of(outcome, config, entry).into_iter();
        let sites: Vec<SourceSites> = failures.map(|it| SourceSites::of(it, entry)).collect();
        let most = (steps / PART_OF_STEPS).max(FEW_STEPS);
        let told = match is_comparable(outcome) {
            true => self.told(sites, outcome.steps, most, (config, recorder), entry),
            false => self.known.get(&sites).and_then(|(told, _)| told.clone()),
        };
        outcome.findings.retain(|it| !is_failure(it) || told.as_ref() == Some(&SourceSites::of(it, entry)));
    }

    /// The one of these failures that depends on the schedule. The run took so many steps; searches may take `most_steps`
    /// in all.
    fn told<S: Scheduler>(
        &mut self,
        sites: Vec<SourceSites>,
        steps: u64,
        most_steps: u64,
        (config, recorder): (&Config, &Recorder<S>),
        entry: &mut EntryRunner<'_>,
    ) -> Option<SourceSites> {
        let (told, attempts) = self.known.get(&sites).cloned().unwrap_or_default();
        let most_sets = if self.has_good_end { MOST_SETS } else { FIRST_SETS };
        let is_hopeless = attempts == 0 && self.known.len() >= most_sets || attempts > 0 && !self.has_good_end;
        let others = OTHERS.get(attempts).filter(|_| !sites.is_empty() && told.is_none() && !is_hopeless);
        let others = others.filter(|others| self.spent.saturating_add(steps.saturating_mul(**others)) <= most_steps);
        let Some(others) = others else { return told };
        let found = search(None, config, recorder.schedule().clone(), None, *others, entry, &mut self.spent);
        let told = found.map(|Contrast { sites, schedule, .. }| {
            self.schedules.entry(sites.clone()).or_insert(schedule);
            sites
        });
        self.known.insert(sites, (told.clone(), attempts + 1));
        told
    }

    /// A schedule that ended well where the failure was compared with others.
    pub(super) fn schedule(&self, failure: &SourceSites) -> Option<&Schedule> {
        self.schedules.get(failure)
    }

    /// The steps of the runs that were compared.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }
}

/// Whether a finding is a bug only if another schedule ends well.
fn is_failure(finding: &Finding) -> bool {
    rules::policy(finding.kind).needs_contrast
}

/// The failures of a run that can be told.
fn failures_of<'a>(outcome: &'a RunOutcome, config: &Config, entry: &EntryRunner<'_>) -> Vec<&'a Finding> {
    let is_told = |it: &&Finding| is_failure(it) && is_reported(it, config.wake_ups, entry);
    match config.wake_ups {
        WakeUps::Exact => outcome.findings.iter().filter(is_told).collect(),
        WakeUps::AdversarialTime | WakeUps::Spurious => Vec::new(),
    }
}

/// A run that ends well, with the inputs of the run that a schedule describes, which lacks the wanted failure of that
/// run; `None` if there is none, or if that run needs threads that wake late. The longest beginnings of that schedule
/// are tried first, as the two differ least then; next, a schedule that is known to end well, perhaps with other inputs.
pub(super) fn find(
    wanted: &Sites,
    config: &Config,
    schedule: Schedule,
    known: Option<&Schedule>,
    entry: &mut EntryRunner<'_>,
    spent: &mut u64,
) -> Option<Contrast> {
    search(Some(wanted), config, schedule, known, MANY_OTHERS, entry, spent)
}

/// Like [`find`], for a wanted failure, or any, with so many random schedules.
fn search(
    wanted: Option<&Sites>,
    config: &Config,
    schedule: Schedule,
    known: Option<&Schedule>,
    others: u64,
    entry: &mut EntryRunner<'_>,
    spent: &mut u64,
) -> Option<Contrast> {
    if entry.should_panic() {
        return None;
    }
    let replay = |schedule| -> Box<dyn Scheduler> { Box::new(Replayer::new(schedule)) };
    // A beginning that is kept has no trace, and none is shown.
    let mut runs = Runs { entry, config: Config { trace: false, ..config.clone() }, prefix: None, spent };
    let (failing, choices) = runs.run(replay(schedule.clone()));
    let mut failures = failures_of(&failing, config, runs.entry);
    if failing.waits.timed {
        let outcome = runs.run_on_time(replay(schedule));
        let entry = &*runs.entry;
        let sites: Vec<Sites> = failures_of(&outcome, config, entry).into_iter().map(Sites::of).collect();
        failures.retain(|it| sites.contains(&Sites::of(it)));
    }
    if failures.is_empty() || !is_comparable(&failing) {
        return None;
    }
    let last = choices.choices.len();
    let switches = (1..last).rev().filter(|at| choices.choices[*at] != choices.choices[at - 1]);
    let most = (others / 2).clamp(LEAST_BEGINNINGS, BEGINNINGS) as usize;
    let beginnings = switches.take(most).map(|at| replay(choices.prefix(at)));
    let random = (1..=others).map(|other| -> Box<dyn Scheduler> { Box::new(Walk::new(config.seed, other)) });
    let known = known.map(|schedule| replay(schedule.clone()));
    let others = beginnings.chain(known).chain([replay(Schedule::default())]).chain(random);
    for scheduler in others {
        let (outcome, other) = runs.run(scheduler);
        let Some(failure) = difference(&failing, &failures, &outcome) else { continue };
        if wanted.is_none_or(|wanted| *wanted == Sites::of(failure)) {
            let pairs = choices.choices.iter().zip(&other.choices).enumerate();
            let parting = pairs.map(|(choice, (here, there))| Parting { choice, here: *here, there: *there });
            let parting = parting.into_iter().find(|it| it.here != it.there);
            let sites = SourceSites::of(failure, runs.entry);
            return Some(Contrast { sites, parting, schedule: other });
        }
    }
    None
}

/// Runs with the same inputs.
struct Runs<'a, 'db> {
    entry: &'a mut EntryRunner<'db>,
    config: Config,
    /// Their common beginning, if it is long.
    prefix: Option<Prefix>,
    /// The steps of all runs; those of the beginning once.
    spent: &'a mut u64,
}

impl Runs<'_, '_> {
    fn run(&mut self, scheduler: Box<dyn Scheduler>) -> (RunOutcome, Schedule) {
        let mut recorder = Recorder::new(scheduler);
        recorder.begin_run(self.config.seed);
        let outcome = match &self.prefix {
            Some(prefix) => {
                let outcome = self.entry.continue_run(prefix, &self.config, &mut recorder);
                *self.spent += outcome.steps.saturating_sub(prefix.steps());
                outcome
            }
            None => {
                let (outcome, prefix) = self.entry.run_and_keep(&self.config, &mut recorder, LONG);
                *self.spent += outcome.steps;
                self.prefix = prefix;
                outcome
            }
        };
        (outcome, recorder.into_schedule())
    }

    /// The same where threads wake exactly at their deadlines, which the beginning may depend on.
    fn run_on_time(&mut self, mut scheduler: Box<dyn Scheduler>) -> RunOutcome {
        let config = Config { jitter: Jitter::NONE, ..self.config.clone() };
        scheduler.begin_run(config.seed);
        let outcome = self.entry.run(&config, &mut *scheduler);
        *self.spent += outcome.steps;
        outcome
    }
}

/// The first of the failures of a run that another run does not have, which ends well with the same inputs.
fn difference<'a>(failing: &RunOutcome, failures: &[&'a Finding], other: &RunOutcome) -> Option<&'a Finding> {
    let (known, raised) = (&failing.raised, &other.raised);
    let place = |it: &Finding| it.events.first().and_then(|event| StackEntry::nearest(&event.stack));
    let is_new =
        |it: &Finding| is_panic(it) && !is_handled(it) && !known.places.iter().any(|at| Some(*at) == place(it));
    if !is_comparable(other) || other.findings.iter().any(is_new) {
        return None;
    }
    let is_fault = |it: &Finding| is_failure(it) && !is_panic(it);
    if !ends_well(other) || other.findings.iter().any(is_fault) {
        return None;
    }
    let is_absent = |it: &&&Finding| !is_panic(it) || !raised.places.iter().any(|at| Some(*at) == place(it));
    let absent: Vec<&Finding> = failures.iter().filter(is_absent).copied().collect();
    let first = *absent.first()?;
    // A panic that is handled may explain a later one. By itself it is no failure.
    if absent.iter().all(|it| is_handled(it)) {
        return None;
    }
    // A thread that was cut off might have failed in the same way.
    let is_of_entry = first.events.first().is_some_and(|event| event.thread == ThreadId(0));
    let is_over = is_of_entry || other.cut_off == 0;
    (is_over && has_same_inputs(first, failing, other)).then_some(first)
}

/// Whether a failure is a panic.
fn is_panic(finding: &Finding) -> bool {
    finding.events.first().is_some_and(|event| matches!(event.action, Action::Panics { .. }))
}

/// Whether another thread learned of a panic by waiting for the end of its thread.
fn is_handled(panic: &Finding) -> bool {
    panic.events.first().is_some_and(|event| event.action == Action::Panics { is_handled: true })
}

/// Whether a run did all that it should do, as far as that is known.
fn ends_well(outcome: &RunOutcome) -> bool {
    let is_known = matches!(outcome.rests_on, None | Some(Origin::Input)) && !outcome.guessed;
    let is_closed = outcome.dropped_stores == 0 && outcome.unknown_calls.is_empty();
    matches!(outcome.end, RunEnd::Returned(0) | RunEnd::Exited(0)) && is_known && is_closed
}

/// Whether all inputs, random numbers and panics of a run are known. Which call of the operating system fails depends on
/// the order of all such calls.
fn is_comparable(outcome: &RunOutcome) -> bool {
    outcome.failed_calls == 0 && outcome.random.len() < MOST_RANDOM && !outcome.raised.has_more
}

/// Whether a run that ends well got all inputs and random numbers of the failing one.
fn has_same_inputs(finding: &Finding, failing: &RunOutcome, other: &RunOutcome) -> bool {
    let is_random = failing.random.iter().all(|it| other.random.contains(it));
    is_random && finding.given.iter().all(|it| other.given.contains(it))
}

/// A random walk with a number of its own, whatever the seed of the run is.
struct Walk {
    inner: RandomWalk,
    seed: u64,
}

impl Walk {
    fn new(seed: u64, other: u64) -> Walk {
        Walk { inner: RandomWalk::new(), seed: seed.wrapping_add(other) }
    }
}

impl Scheduler for Walk {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn begin_run(&mut self, _seed: u64) {
        self.inner.begin_run(self.seed);
    }

    fn choose(&mut self, point: &interp::sched::Point<'_>) -> ThreadId {
        self.inner.choose(point)
    }
}
