//! Runs of an entry that share what comes before schedules can differ (decision 29).
//!
//! A run's seed determines its inputs, so runs that share their beginning share the inputs too. Runs share it only if it
//! is long: else each gets inputs of its own. Whether a run continued from a copy of the machine's state or was made
//! from its start, its outcome is the same (invariant 31).
//!
//! Programs often set themselves up after they have started threads, which are idle meanwhile: an asynchronous `main`
//! runs on a runtime. Where runs had long sequences of steps without a choice, most beginnings go on to the end of these,
//! with default choices.

use super::entry_runner::EntryRunner;
use interp::{
    run::{Config, LONG_ALONE, Prefix, RunOutcome},
    sched::Scheduler,
};

/// Beginnings of at least this many steps are shared. Copying the state costs about as much as a few thousand steps.
pub(super) const LONG: u64 = 20_000;
/// Number of runs that share a beginning, and so their inputs. They are fewer if they take as many steps as it, as other
/// inputs cost no more then: the second number is for those that reach more than half as many sites as any run.
const RUNS: u32 = 12;
const COSTLY_RUNS: u32 = 3;
const COSTLY_USEFUL_RUNS: u32 = 6;
/// Maximum number of them, if one of the last [`RUNS`] reached something new: they may take as many steps as it. Or if
/// they reach more than half as many sites as any run: they may take this part of its steps.
const MOST_RUNS: u32 = 48;
const CHEAP: u64 = 2;
/// Later beginnings, once they are known to exist, before one that is not late and one that was useful before; and the
/// number of runs that share the one that is not late.
const LATE: u32 = 3;
const SLOW_RUNS: u32 = 3;
/// Maximum number of attempts in sequence that find no later beginning: with some inputs a program ends before.
const ATTEMPTS: u32 = 4;
/// How often the bound on one beginning may be spent on all beginnings of an entry.
const MAX_BEGINNINGS: u64 = 16;

/// The beginnings of an entry's runs. It refers to no code: the copy of the machine's state is kept by its user.
#[derive(Clone, Default)]
pub(super) struct Prefixes {
    shared: Option<SharedPrefix>,
    /// Number of runs that used it.
    used: u32,
    /// The same up to the last one that reached something new.
    useful: u32,
    /// Steps of these runs after it.
    steps: u64,
    /// The most sites that one of them reached, and that any run did.
    sites: usize,
    most_sites: usize,
    /// Steps of all beginnings.
    spent: u64,
    /// Whether a run took many steps in sequence without a choice.
    is_slow: bool,
    /// Later beginnings in sequence; `None` before the first one.
    late: Option<u32>,
    /// The last one. It serves for all further runs if no other beginning may be run.
    last_late: Option<SharedPrefix>,
    /// The late one whose runs reached most sites, and that number of sites.
    best_late: Option<(SharedPrefix, usize)>,
    /// The last one that is not late. It serves likewise if there is no late one.
    last_early: Option<SharedPrefix>,
    /// How often none was found since the last one.
    failed: u32,
}

/// A long beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SharedPrefix {
    seed: u64,
    steps: u64,
    /// Scheduling points in it.
    points: u32,
}

impl SharedPrefix {
    fn of(prefix: &Prefix) -> SharedPrefix {
        SharedPrefix { seed: prefix.seed(), steps: prefix.steps(), points: prefix.points() }
    }
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
        match is_over {
            true => self.shared = self.last_late.or(self.shared).or(self.last_early),
            false => self.begin_late(config, scheduler, entry, kept),
        }
        if let Some(shared) = self.shared.filter(|_| self.serves() || is_over) {
            self.used += 1;
            config.concurrent_seed = Some(config.seed);
            (config.seed, config.beginning_points) = (shared.seed, shared.points);
            let outcome = match kept.as_ref().filter(|prefix| SharedPrefix::of(prefix) == shared) {
                Some(prefix) => entry.continue_run(prefix, config, scheduler),
                None => {
                    let (outcome, prefix) = entry.run_and_keep(config, scheduler, LONG);
                    *kept = prefix;
                    outcome
                }
            };
            self.is_slow |= outcome.longest_alone >= LONG_ALONE;
            let steps = outcome.steps.saturating_sub(shared.steps);
            self.steps += steps;
            return (outcome, steps);
        }
        let (outcome, prefix) = entry.run_and_keep(config, scheduler, LONG);
        self.is_slow |= outcome.longest_alone >= LONG_ALONE;
        self.shared = prefix.as_ref().map(SharedPrefix::of);
        self.last_early = self.shared.or(self.last_early);
        // A run that never gets there has only a beginning, as far as it is longer than other runs.
        let before = self.shared.map_or(outcome.steps.saturating_sub(config.max_steps), |shared| shared.steps);
        self.spent += before;
        // Without a beginning to share, the next runs are like this one.
        let used = if self.shared.is_some() || self.used >= self.usual_runs() { 1 } else { self.used + 1 };
        *kept = prefix;
        let steps = outcome.steps - before;
        (self.used, self.useful, self.steps, self.sites) = (used, 0, steps, 0);
        (outcome, steps)
    }

    /// The beginnings of another shard, which pays for its own.
    pub(super) fn split(&self) -> Prefixes {
        Prefixes { spent: 0, ..self.clone() }
    }

    /// Takes how many sites the last run reached, and whether any of them was new.
    pub(super) fn take(&mut self, sites: usize, reached_new: bool) {
        if reached_new {
            self.useful = self.used;
        }
        self.sites = self.sites.max(sites);
        self.most_sites = self.most_sites.max(sites);
        if let Some(shared) = self.shared.filter(|shared| shared.points > 0)
            && self.best_late.is_none_or(|(_, most)| self.sites > most)
        {
            self.best_late = Some((shared, self.sites));
        }
    }

    /// Whether the current beginning serves for another run.
    fn serves(&self) -> bool {
        let usual = self.usual_runs();
        let steps = self.shared.map_or(0, |shared| shared.steps);
        let is_useful = self.used - self.useful < usual && self.steps < steps;
        let is_far = self.sites * 2 > self.most_sites;
        let is_costly = self.shared.is_some() && self.steps >= steps;
        let usual = match (is_costly, is_far) {
            (false, _) => usual,
            (true, true) => usual.min(COSTLY_USEFUL_RUNS),
            (true, false) => usual.min(COSTLY_RUNS),
        };
        let is_cheap = is_far && self.steps < steps / CHEAP;
        self.used < usual || (is_useful || is_cheap) && self.used < MOST_RUNS
    }

    /// The number of runs for which the current beginning serves in any case. Few are long where most have a later one.
    fn usual_runs(&self) -> u32 {
        let is_late = self.shared.is_some_and(|shared| shared.points > 0);
        if self.late.is_some() && !is_late { SLOW_RUNS } else { RUNS }
    }

    /// Replaces a beginning by a later one with other inputs, if that is of use.
    fn begin_late(
        &mut self,
        config: &Config,
        scheduler: &mut dyn Scheduler,
        entry: &mut EntryRunner<'_>,
        kept: &mut Option<Prefix>,
    ) {
        // The first one comes at once.
        let is_due = !self.serves() || self.late.is_none() && self.failed == 0;
        if !is_due || !self.is_slow || self.failed >= ATTEMPTS {
            return;
        }
        let late = self.late.unwrap_or_default();
        if late == LATE {
            self.late = Some(LATE + 1);
            return;
        }
        if late > LATE {
            self.late = Some(0);
            if let Some((best, _)) = self.best_late {
                (self.shared, *kept) = (Some(best), None);
                self.spent += best.steps;
                (self.used, self.useful, self.steps, self.sites) = (0, 0, 0, 0);
            }
            return;
        }
        let (prefix, steps) = entry.keep_late(config, scheduler);
        self.spent += steps;
        match &prefix {
            Some(prefix) => {
                (self.shared, self.late, self.failed) = (Some(SharedPrefix::of(prefix)), Some(late + 1), 0);
                (self.used, self.useful, self.steps, self.sites) = (0, 0, 0, 0);
                self.last_late = self.shared;
            }
            None => self.failed += 1,
        }
        *kept = prefix;
    }

    /// Whether no further beginning may be run, and there is none to continue from.
    pub(super) fn is_exhausted(&self, config: &Config) -> bool {
        self.shared.or(self.last_late).or(self.last_early).is_none() && self.is_over(config)
    }

    /// Steps of all beginnings.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    fn is_over(&self, config: &Config) -> bool {
        self.spent >= config.prefix_steps.saturating_mul(MAX_BEGINNINGS)
    }
}
