//! Determines whether a panic depends on the schedule: whether the same inputs end well under another one.

use super::{
    entry_runner::EntryRunner,
    merge::{Sites, is_shown},
};
use crate::rules;
use interp::{
    clock::ThreadId,
    finding::Finding,
    run::{Config, Jitter, MOST_RANDOM, Map, RunEnd, RunOutcome},
    sched::{RandomWalk, Recorder, Replayer, Schedule, Scheduler, WakeUps},
    term::Origin,
};

/// Number of beginnings of the failing schedule that are followed, the longest first.
const BEGINNINGS: usize = 6;
/// Number of random schedules that are tried afterwards.
const OTHERS: u64 = 12;
/// Number of runs of an entry for which a panic at the same site is compared in vain.
const ATTEMPTS: u32 = 3;

/// A run with the same inputs that ends well.
pub(super) struct Contrast {
    /// At the first choice that differs: the thread that runs on in the failing run, and the one in the other run.
    pub(super) parting: Option<(ThreadId, ThreadId)>,
}

/// For each panic site of an entry, whether a run with the same inputs ended well.
#[derive(Default)]
pub(super) struct Contrasts {
    /// For each site: whether another schedule ended well, and the number of attempts in vain.
    known: Map<Sites, (bool, u32)>,
    spent: u64,
}

impl Contrasts {
    /// Removes those findings of a run that are bugs only if they depend on the schedule, and do not.
    pub(super) fn judge<S: Scheduler>(
        &mut self,
        outcome: &mut RunOutcome,
        config: &Config,
        recorder: &Recorder<S>,
        entry: &mut EntryRunner<'_>,
    ) {
        outcome.findings.retain(|finding| {
            if !rules::policy(finding.kind).needs_contrast {
                return true;
            }
            if !is_shown(finding) || config.wake_ups != WakeUps::Exact || !entry.is_meant(finding) {
                return false;
            }
            let sites = Sites::of(finding);
            let (is_known, attempts) = self.known.get(&sites).copied().unwrap_or_default();
            if is_known || attempts >= ATTEMPTS {
                return is_known;
            }
            let found = find(&sites, config, recorder.schedule().clone(), entry, &mut self.spent).is_some();
            self.known.insert(sites, (found, attempts + 1));
            found
        });
    }

    /// The steps of the runs that were compared.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }
}

/// A run that ends well, with the inputs of the run that a schedule describes; `None` if there is none, or if that run
/// needs threads that wake late.
pub(super) fn find(
    sites: &Sites,
    config: &Config,
    schedule: Schedule,
    entry: &mut EntryRunner<'_>,
    spent: &mut u64,
) -> Option<Contrast> {
    if entry.should_panic() {
        return None;
    }
    let mut run = |config: &Config, scheduler: Box<dyn Scheduler>| {
        let mut recorder = Recorder::new(scheduler);
        recorder.begin_run(config.seed);
        let outcome = entry.run(config, &mut recorder);
        *spent += outcome.steps;
        (outcome, recorder.into_schedule())
    };
    let is_same = |it: &&Finding| Sites::of(it) == *sites;
    let replay = |schedule| -> Box<dyn Scheduler> { Box::new(Replayer::new(schedule)) };
    let (failing, choices) = run(config, replay(schedule.clone()));
    let finding = failing.findings.iter().find(is_same)?;
    if failing.waits.timed {
        let punctual = Config { jitter: Jitter::NONE, ..config.clone() };
        let (outcome, _) = run(&punctual, replay(schedule));
        outcome.findings.iter().find(is_same)?;
    }
    let last = choices.choices.len();
    let switches = (1..last).rev().filter(|at| choices.choices[*at] != choices.choices[at - 1]);
    let beginnings = switches.take(BEGINNINGS).map(|at| replay(choices.prefix(at)));
    let random = (1..=OTHERS).map(|other| -> Box<dyn Scheduler> { Box::new(Walk::new(config.seed, other)) });
    let others = beginnings.chain([replay(Schedule::default())]).chain(random);
    for scheduler in others {
        let (outcome, other) = run(config, scheduler);
        if ends_well(&outcome) && has_same_inputs(finding, &failing, &outcome) {
            let parting = choices.choices.iter().zip(&other.choices).find(|(here, there)| here != there);
            return Some(Contrast { parting: parting.map(|(here, there)| (*here, *there)) });
        }
    }
    None
}

/// Whether a run did all that it should do, as far as that is known, and raised no panic at all.
fn ends_well(outcome: &RunOutcome) -> bool {
    let is_known = matches!(outcome.rests_on, None | Some(Origin::Input)) && !outcome.guessed;
    let is_closed = outcome.dropped_stores == 0 && outcome.unknown_calls.is_empty();
    let is_end = matches!(outcome.end, RunEnd::Returned(_) | RunEnd::Exited(0));
    is_end && is_known && is_closed && outcome.raised == 0
}

/// Whether a run that ends well got all inputs and random numbers of the failing one.
fn has_same_inputs(finding: &Finding, failing: &RunOutcome, other: &RunOutcome) -> bool {
    // Which call of the operating system fails depends on the order of all such calls.
    let is_plain = failing.failed_calls == 0 && other.failed_calls == 0;
    let is_known = failing.random.len().max(other.random.len()) < MOST_RANDOM;
    let is_random = failing.random.iter().all(|it| other.random.contains(it));
    is_plain && is_known && is_random && finding.given.iter().all(|it| other.given.contains(it))
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
