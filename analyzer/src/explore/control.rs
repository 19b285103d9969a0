//! Determines whether guesses *control* a finding (decision 6).
//!
//! It does so by experiments instead of analysing the program text: the run is repeated with each guess inverted, with
//! all inverted, and with other seeds for guesses. A finding that shows every time is controlled by none. Control
//! dependence as compilers define it (Ferrante, Ottenstein and Warren, TOPLAS'87) would miss the lock that the other
//! branch takes (*execution omission* in dynamic slicing) and the flag that a branch leaves behind; an experiment sees
//! both. A finding that needs a rare schedule may fail to show again; it then stays possible.

use super::{
    entry_runner::EntryRunner,
    merge::{Sites, is_reported, is_shown},
    minimise::Recording,
};
use crate::witness::Witness;
use interp::{
    finding::Finding,
    rng,
    run::Config,
    sched::{Guided, RandomWalk, Scheduler},
    term::{GuessOverride, MAX_GUESSES},
};

/// Maximum number of experiments for a finding.
const MAX_TRIALS: usize = 32;
/// Number of experiments that take all guesses from another seed.
const SEEDS: u64 = 4;
/// Number of schedules of an experiment, besides the one that showed the finding.
const SCHEDULES: u64 = 8;
/// Maximum number of steps for all findings of an entry.
const MAX_STEPS: u64 = 20_000_000;

/// Whether a finding shows whatever is guessed. `spent` counts the steps for all findings of an entry.
pub(super) fn shows_either_way(
    finding: &Finding,
    recording: &Recording,
    entry: &mut EntryRunner<'_>,
    spent: &mut u64,
) -> bool {
    let has_other_doubts = !is_shown(&beside_guesses(finding));
    if has_other_doubts || finding.guesses.is_empty() || finding.guesses.len() == MAX_GUESSES {
        return false;
    }
    let seed = recording.witness.seed;
    let one = |(index, ways): (usize, &u32)| (1..*ways).map(move |by| GuessOverride::One { index: index as u32, by });
    let each = finding.guesses.iter().enumerate().flat_map(one);
    let trials: Vec<_> = each.chain([GuessOverride::All]).map(|guess_override| (seed, guess_override)).collect();
    let others = (1..=SEEDS).map(|other| (rng::run_seed(seed, other), GuessOverride::None));
    let sites = Sites::of(finding);
    trials.len() <= MAX_TRIALS
        && trials.into_iter().chain(others).all(|(seed, guess_override)| {
            let mut trial = Trial { seed, guess_override, recording, step: finding.step, sites: &sites, spent };
            trial.shows(entry)
        })
}

/// An experiment.
struct Trial<'a> {
    seed: u64,
    guess_override: GuessOverride,
    recording: &'a Recording,
    /// The step of the finding in its own run.
    step: u64,
    sites: &'a Sites,
    spent: &'a mut u64,
}

impl Trial<'_> {
    fn shows(&mut self, entry: &mut EntryRunner<'_>) -> bool {
        let mut guided = Guided::new(self.recording.segments());
        self.shows_under(&mut guided, 0, entry)
            || (1..=SCHEDULES).any(|other| self.shows_under(&mut RandomWalk::new(), other, entry))
    }

    fn shows_under(&mut self, scheduler: &mut dyn Scheduler, other: u64, entry: &mut EntryRunner<'_>) -> bool {
        if *self.spent >= MAX_STEPS {
            return false;
        }
        let Witness { beginning_points, wake_ups, jitter, .. } = self.recording.witness;
        let is_recorded = self.seed == self.recording.witness.seed;
        let concurrent_seed = self.recording.witness.concurrent_seed.filter(|_| is_recorded);
        let most = self.recording.witness.config().max_steps;
        let max_steps = most.min(self.step.saturating_mul(2) + 100_000);
        let Trial { seed, guess_override, .. } = *self;
        let goes_behind = self.recording.witness.goes_behind();
        let forced_choices = self.recording.witness.left_out.choices();
        let limits = Config { prefix_steps: max_steps, max_steps, goes_behind, forced_choices, ..Config::default() };
        let config = Config { seed, concurrent_seed, beginning_points, wake_ups, jitter, guess_override, ..limits };
        scheduler.begin_run(rng::run_seed(self.seed, other));
        let outcome = entry.run(&config, scheduler);
        *self.spent += outcome.steps;
        let is_wanted =
            |it: &Finding| Sites::of(it) == *self.sites && is_reported(&beside_guesses(it), wake_ups, entry);
        outcome.findings.iter().any(is_wanted)
    }
}

/// The finding as if it depended on no guess.
pub(super) fn beside_guesses(finding: &Finding) -> Finding {
    Finding { rests_on: finding.rests_on_beside, ..finding.clone() }
}
