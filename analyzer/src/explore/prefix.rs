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

/// The beginnings of an entry's runs.
#[derive(Default)]
pub(super) struct Prefixes {
    kept: Option<Prefix>,
    /// Number of runs that used it.
    used: u32,
    /// Steps of all beginnings.
    spent: u64,
}

impl Prefixes {
    /// Makes a run; `config` has a seed of its own for it, and gets those that were used. Returns the outcome and the
    /// number of steps that count for the entry's bound.
    pub(super) fn run(
        &mut self,
        config: &mut Config,
        scheduler: &mut dyn Scheduler,
        entry: &mut EntryRunner<'_>,
    ) -> (RunOutcome, u64) {
        let is_over = self.is_over(config);
        if let Some(prefix) = self.kept.as_ref().filter(|_| self.used < RUNS || is_over) {
            self.used += 1;
            config.concurrent_seed = Some(config.seed);
            config.seed = prefix.seed();
            let outcome = entry.continue_run(prefix, config, scheduler, &mut Silent);
            let steps = outcome.steps - prefix.steps();
            return (outcome, steps);
        }
        let (outcome, kept) = entry.run_and_keep(config, scheduler, &mut Silent, LONG);
        let before = match &kept {
            Some(prefix) => prefix.steps(),
            // It has no long beginning, or nothing else.
            None => outcome.steps.saturating_sub(config.max_steps),
        };
        self.spent += before;
        (self.kept, self.used) = (kept, 1);
        let steps = outcome.steps - before;
        (outcome, steps)
    }

    /// Whether no further beginning may be run, and there is none to continue from.
    pub(super) fn is_exhausted(&self, config: &Config) -> bool {
        self.kept.is_none() && self.is_over(config)
    }

    fn is_over(&self, config: &Config) -> bool {
        self.spent >= config.prefix_steps.saturating_mul(MAX_BEGINNINGS)
    }
}
