//! Runs of an entry that share what comes before schedules can differ (decision 29).
//!
//! A run's seed determines its inputs, so runs that share their beginning share the inputs too. Runs share it only if it
//! is long: else each gets inputs of its own. Whether a run continued from a copy of the machine's state or was made
//! from its start, its outcome is the same (invariant 31).

use super::entry_runner::{EntryRunner, Silent};
use interp::{
    run::{Config, Prefix, RunOutcome},
    sched::Scheduler,
};

/// Beginnings of at least this many steps are shared. Copying the state costs about as much as a few thousand steps.
pub(super) const LONG: u64 = 20_000;
/// Number of runs that share a beginning, and so their inputs.
const RUNS: u32 = 12;
/// How often the bound on one beginning may be spent on all beginnings of an entry.
const MAX_BEGINNINGS: u64 = 3;

/// The beginnings of an entry's runs. It refers to no code: the copy of the machine's state is kept by its user.
#[derive(Default)]
pub(super) struct Prefixes {
    shared: Option<SharedPrefix>,
    /// Number of runs that used it.
    used: u32,
    /// Steps of all beginnings.
    spent: u64,
}

/// A long beginning.
#[derive(Clone, Copy)]
struct SharedPrefix {
    seed: u64,
    steps: u64,
}

impl Prefixes {
    /// Makes a run; `config` has a seed of its own for it, and gets those that were used. `kept` is the copy of the
    /// state, if there is one; without it the run is made from its start. Returns the outcome and the number of steps
    /// that count for the entry's bound.
    pub(super) fn run(
        &mut self,
        config: &mut Config,
        scheduler: &mut dyn Scheduler,
        entry: &mut EntryRunner<'_>,
        kept: &mut Option<Prefix>,
    ) -> (RunOutcome, u64) {
        let is_over = self.is_over(config);
        if let Some(shared) = self.shared.filter(|_| self.used < RUNS || is_over) {
            self.used += 1;
            config.concurrent_seed = Some(config.seed);
            config.seed = shared.seed;
            let outcome = match kept.as_ref().filter(|prefix| prefix.seed() == shared.seed) {
                Some(prefix) => entry.continue_run(prefix, config, scheduler, &mut Silent),
                None => {
                    let (outcome, prefix) = entry.run_and_keep(config, scheduler, &mut Silent, LONG);
                    *kept = prefix;
                    outcome
                }
            };
            let steps = outcome.steps.saturating_sub(shared.steps);
            return (outcome, steps);
        }
        let (outcome, prefix) = entry.run_and_keep(config, scheduler, &mut Silent, LONG);
        self.shared = prefix.as_ref().map(|prefix| SharedPrefix { seed: prefix.seed(), steps: prefix.steps() });
        // A run that never gets there has only a beginning, as far as it is longer than other runs.
        let before = self.shared.map_or(outcome.steps.saturating_sub(config.max_steps), |shared| shared.steps);
        self.spent += before;
        (*kept, self.used) = (prefix, 1);
        let steps = outcome.steps - before;
        (outcome, steps)
    }

    /// Whether no further beginning may be run, and there is none to continue from.
    pub(super) fn is_exhausted(&self, config: &Config) -> bool {
        self.shared.is_none() && self.is_over(config)
    }

    /// Steps of all beginnings.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    fn is_over(&self, config: &Config) -> bool {
        self.spent >= config.prefix_steps.saturating_mul(MAX_BEGINNINGS)
    }
}
