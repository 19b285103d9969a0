//! Decides which strategy makes which run of an entry, and how long the run may get.
//!
//! A pure function of the outcomes of the earlier runs.

use super::{Effort, Options, exploration::RunQuota};
use crate::{
    project::{EntryKind, EntryPoint},
    sites::BodySite,
};
use interp::{
    run::{Bound, Config, RunEnd, RunOutcome, Waits},
    sched::{Coarse, Hints, PointKind, Scheduler, Strategy},
};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Maximum number of steps of all runs of an entry that has started a second thread (architecture, "Bounds").
const MAX_STEPS_OF_ENTRY: u64 = 10_000_000;

/// Steps that all entries of a package share equally: an entry's share must not depend on the order of entries.
const MAX_STEPS_OF_ALL: u64 = 2_000_000_000;

/// The share of each of `entries` entries. The first run is made in any case.
pub(crate) fn share(entries: usize, effort: Effort) -> u64 {
    effort.times((MAX_STEPS_OF_ALL / (entries as u64).max(1)).min(MAX_STEPS_OF_ENTRY))
}

/// Steps that the programs of a group of entries may take, each once, before schedules can differ; a program may take
/// this many.
const MAX_PREFIX_STEPS_OF_ALL: u64 = 60_000_000;
const MAX_PREFIX_STEPS: u64 = 20_000_000;

/// The steps that each program among these entries may take before schedules can differ.
pub(crate) fn share_of_prefix<'a>(points: impl IntoIterator<Item = &'a EntryPoint>) -> u64 {
    let programs = points.into_iter().filter(|point| point.kind == EntryKind::Main).count();
    prefix_of(programs)
}

fn prefix_of(programs: usize) -> u64 {
    let share = MAX_PREFIX_STEPS_OF_ALL / (programs as u64).max(1);
    share.clamp(Config::default().max_steps, MAX_PREFIX_STEPS)
}

/// Steps that one run of each entry of a package may take in all.
const MAX_STEPS_OF_FIRST_RUNS: u64 = 1_000_000_000;

/// The steps of a run of each of so many entries, if they are fewer than any run may take.
pub(crate) fn share_of_run(entries: usize) -> Option<u64> {
    let share = MAX_STEPS_OF_FIRST_RUNS / (entries as u64).max(1);
    (share < Config::default().max_steps).then_some(share)
}

/// Default number of runs of an entry that starts a second thread.
pub const RUNS: u32 = 100;

/// Maximum number of runs while nothing was found and all runs were short: short programs have few scheduling points at
/// which a bad schedule must choose right, and more runs cost little.
const MAX_RUNS: u32 = 400;
const FEW_STEPS: u64 = 2_000_000;

/// The rotation of strategies (decision 11).
const ROTATION: [Strategy; 17] = [
    Strategy::RandomWalk,
    Strategy::NestedLocks,
    Strategy::Sticky,
    Strategy::Pct(2),
    Strategy::Delays,
    Strategy::RandomWalk,
    Strategy::AdversarialTime,
    Strategy::Sticky,
    Strategy::Pct(3),
    Strategy::Delays,
    Strategy::NestedLocks,
    Strategy::RandomWalk,
    Strategy::Spurious,
    Strategy::Pct(4),
    Strategy::Delays,
    Strategy::Sticky,
    Strategy::Pct(5),
];

/// If runs reach the step bound, one in this many gets the full length. The others end at a fraction of it, unless they
/// miss sites that long runs reach: bugs show early more often than late, and more runs fit in.
const FULL_LENGTH: u32 = 4;
const SHORT: u64 = 10;

/// The plan for the runs of an entry.
#[derive(Clone, Debug)]
pub(super) struct Portfolio {
    forced: Option<Strategy>,
    effort: Effort,
    /// The requested number of runs.
    asked: Option<u32>,
    /// Maximum number of steps of a run.
    most_steps: u64,
    /// Whether that is more than other entries get: then no run is made short.
    is_extended: bool,
    /// Maximum number of steps of all runs.
    all_steps: u64,
    /// How many times as many runs and steps as usual the entry may have in all.
    extension: u32,
    runs: u32,
    /// Number of choices in all runs.
    points: u64,
    /// Number of these outside of dependencies.
    own_points: u64,
    /// Their kinds, where several threads could run, in order of occurrence.
    kinds: Vec<PointKind>,
    waits: Waits,
    is_endless: bool,
    /// Sites of the source that runs of full length and short ones reached concurrently.
    reached_by: [FxHashSet<BodySite>; 2],
}

impl Portfolio {
    /// A plan for the runs of one entry.
    pub(super) fn new(options: &Options) -> Portfolio {
        Portfolio {
            forced: options.strategy,
            effort: options.effort,
            asked: options.runs,
            most_steps: options.max_steps.unwrap_or(Config::default().max_steps),
            is_extended: false,
            all_steps: options.steps.unwrap_or(options.effort.times(MAX_STEPS_OF_ENTRY)),
            extension: 1,
            runs: 0,
            points: 0,
            own_points: 0,
            kinds: Vec::new(),
            waits: Waits::default(),
            is_endless: false,
            reached_by: Default::default(),
        }
    }

    /// Sets the bounds of an allotment.
    pub(super) fn set_bounds(&mut self, allotment: RunQuota) {
        let RunQuota { max_steps, is_extended, steps, extension, runs: _, is_split: _ } = allotment;
        (self.most_steps, self.is_extended) = (max_steps, is_extended);
        (self.all_steps, self.extension) = (steps, extension);
    }

    /// Maximum number of steps of a run of full length.
    pub(super) fn most_steps(&self) -> u64 {
        self.most_steps
    }

    /// The strategy of a run. Early wake-ups are skipped if the program never waits in that way.
    pub(super) fn strategy(&self, run: u32) -> Strategy {
        if let Some(forced) = self.forced {
            return forced;
        }
        match ROTATION[run as usize % ROTATION.len()] {
            Strategy::AdversarialTime if !self.waits.timed => Strategy::Sticky,
            Strategy::Spurious if !self.waits.notified => Strategy::RandomWalk,
            strategy => strategy,
        }
    }

    /// The scheduler of a run. If dependencies synchronise themselves, every other run skips most of these points.
    pub(super) fn scheduler(&self, run: u32) -> Box<dyn Scheduler> {
        let is_coarse = self.own_points < self.points && run % 2 == 1;
        let strategy = self.strategy(run);
        match is_coarse {
            true => Box::new(Coarse::new(strategy.scheduler(&self.hints(self.own_points)))),
            false => strategy.scheduler(&self.hints(self.points)),
        }
    }

    /// What was learned from the runs so far.
    fn hints(&self, points: u64) -> Hints<'_> {
        let mean = points.checked_div(u64::from(self.runs)).unwrap_or(0);
        Hints { points: u32::try_from(mean).unwrap_or(u32::MAX).max(1), kinds: &self.kinds }
    }

    /// Whether to make another run after `done` runs that took `steps` in all, whatever its share of steps is.
    pub(super) fn wants_more(&self, done: u32, steps: u64, is_silent: bool) -> bool {
        let most = self.asked.unwrap_or_else(|| self.most_runs(steps, is_silent)).max(1);
        done < most && (self.asked.is_some() || steps < self.most_steps_of_entry())
    }

    /// Whether so many steps are its share.
    pub(super) fn has_spent_share(&self, steps: u64) -> bool {
        steps >= self.all_steps
    }

    /// The most steps that all runs may take. Longer runs are no reason for fewer.
    pub(super) fn most_steps_of_entry(&self) -> u64 {
        let longer = (self.most_steps / Config::default().max_steps).max(1);
        self.effort.times(MAX_STEPS_OF_ENTRY).saturating_mul(longer).saturating_mul(self.extension.into())
    }

    /// The most runs that the entry may get after these.
    pub(super) fn most_runs(&self, steps: u64, is_silent: bool) -> u32 {
        let more = is_silent && steps < self.effort.times(FEW_STEPS).saturating_mul(self.extension.into());
        self.effort.times_runs(if more { MAX_RUNS } else { RUNS }).saturating_mul(self.extension)
    }

    /// Maximum number of steps of this run.
    pub(super) fn max_steps(&self, run: u32) -> u64 {
        if self.is_short(run) { self.most_steps / SHORT } else { self.most_steps }
    }

    fn is_short(&self, run: u32) -> bool {
        let may_be_short = self.is_endless && !self.is_extended && !misses_sites(&self.reached_by);
        may_be_short && !run.is_multiple_of(FULL_LENGTH)
    }

    /// Takes the outcome of a run into account, and the sites of the source that it reached concurrently.
    pub(super) fn learn(&mut self, run: u32, outcome: &RunOutcome, sites: impl Iterator<Item = BodySite>) {
        let is_short = self.is_short(run);
        self.reached_by[usize::from(is_short)].extend(sites);
        self.runs += 1;
        self.points += outcome.choices;
        self.own_points += outcome.own_choices;
        for ((kind, ..), reached) in &outcome.reached {
            if reached.concurrent + reached.behind > 0 && !self.kinds.contains(kind) {
                self.kinds.push(*kind);
            }
        }
        self.waits.timed |= outcome.waits.timed;
        self.waits.notified |= outcome.waits.notified;
        self.is_endless |= outcome.end == RunEnd::Bound(Bound::Steps);
    }
}

/// Whether short runs miss sites that those of full length reach.
fn misses_sites<T: Eq + Hash>([by_full, by_short]: &[FxHashSet<T>; 2]) -> bool {
    !by_short.is_empty() && !by_full.is_subset(by_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portfolio(options: Options) -> Portfolio {
        Portfolio::new(&options)
    }

    fn goes_on(portfolio: &Portfolio, done: u32, steps: u64, is_silent: bool) -> bool {
        portfolio.wants_more(done, steps, is_silent) && !portfolio.has_spent_share(steps)
    }

    #[test]
    fn every_strategy_has_its_turn_when_it_is_of_use() {
        let mut all = portfolio(Options::default());
        let planned =
            |portfolio: &Portfolio| (0..ROTATION.len() as u32).map(|run| portfolio.strategy(run)).collect::<Vec<_>>();
        assert!(planned(&all).iter().all(|it| it.wake_ups() == interp::sched::WakeUps::Exact));
        all.waits = Waits { timed: true, notified: true };
        let all = planned(&all);
        assert!(Strategy::ALL.iter().all(|strategy| all.contains(strategy)));
        let sticky = portfolio(Options { strategy: Some(Strategy::Sticky), ..Options::default() });
        assert!((0..ROTATION.len() as u32).all(|run| sticky.strategy(run) == Strategy::Sticky));
    }

    #[test]
    fn short_programs_get_more_runs_while_nothing_is_found() {
        let normal = portfolio(Options::default());
        assert!(goes_on(&normal, 99, 9_000_000, false) && !goes_on(&normal, 99, 10_000_000, true));
        assert!(goes_on(&normal, 100, 1_999_999, true) && !goes_on(&normal, 100, 2_000_000, true));
        assert!(!goes_on(&normal, 100, 1, false) && !goes_on(&normal, 400, 400, true));
        let low = portfolio(Options { effort: Effort::Low, ..Options::default() });
        assert!(goes_on(&low, 24, 1, false) && !goes_on(&low, 25, 1, false) && !goes_on(&low, 100, 1, true));
        let high = portfolio(Options { effort: Effort::High, ..Options::default() });
        assert!(
            goes_on(&high, 399, 39_999_999, false) && !goes_on(&high, 400, 1, false) && goes_on(&high, 400, 1, true)
        );
    }

    #[test]
    fn as_many_runs_as_asked_are_made() {
        let seven = portfolio(Options { runs: Some(7), steps: Some(u64::MAX), ..Options::default() });
        assert!(goes_on(&seven, 6, 1 << 60, false) && !goes_on(&seven, 7, 7, true));
        assert!(goes_on(&portfolio(Options { runs: Some(0), ..Options::default() }), 0, 0, true));
        let short = portfolio(Options { runs: Some(7), steps: Some(100), ..Options::default() });
        assert!(!goes_on(&short, 6, 100, true) && short.wants_more(6, 100, true) && !short.wants_more(7, 100, true));
    }

    #[test]
    fn many_entries_share_their_steps() {
        assert_eq!([0, 1, 6, 1_000].map(prefix_of), [20_000_000, 20_000_000, 10_000_000, 1_000_000]);
        let normal = |entries| share(entries, Effort::Normal);
        assert_eq!([0, 1, 200, 1_000].map(normal), [10_000_000, 10_000_000, 10_000_000, 2_000_000]);
        assert_eq!([0, 1, 1_000, 4_000].map(share_of_run), [None, None, None, Some(250_000)]);
        let one = portfolio(Options { steps: Some(normal(1_000)), ..Options::default() });
        assert!(goes_on(&one, 0, 0, true) && goes_on(&one, 9, 1_999_999, true));
        assert!(!goes_on(&one, 9, 2_000_000, true) && one.wants_more(9, 2_000_000, true));
        assert!(!one.wants_more(100, 2_000_000, true));
    }

    /// A server has its first client late.
    #[test]
    fn short_runs_reach_what_long_ones_do() {
        let sets = |full: &[u32], short: &[u32]| [full, short].map(|it| it.iter().copied().collect());
        assert!(!misses_sites(&sets(&[1, 2], &[])), "there was none");
        assert!(misses_sites(&sets(&[1, 2], &[1])) && !misses_sites(&sets(&[1, 2], &[1, 2, 3])));
    }

    #[test]
    fn endless_programs_get_short_runs_between_long_ones() {
        let mut endless = portfolio(Options::default());
        assert_eq!(endless.max_steps(1), 1_000_000);
        endless.is_endless = true;
        assert_eq!((endless.max_steps(4), endless.max_steps(5)), (1_000_000, 100_000));
        // What a longer run is made for may come late.
        let allotment = RunQuota {
            runs: 100,
            max_steps: 16_000_000,
            is_extended: true,
            steps: u64::MAX,
            extension: 1,
            is_split: false,
        };
        endless.set_bounds(allotment);
        assert_eq!((endless.max_steps(4), endless.max_steps(5)), (16_000_000, 16_000_000));
        assert!(goes_on(&endless, 5, 100_000_000, true) && !goes_on(&endless, 9, 160_000_000, true));
        endless.set_bounds(RunQuota { extension: 2, ..allotment });
        assert!(goes_on(&endless, 199, 160_000_000, true) && !goes_on(&endless, 200, 160_000_000, true));
        assert!(!goes_on(&endless, 9, 320_000_000, true));
        assert_eq!(portfolio(Options { max_steps: Some(70), ..Options::default() }).max_steps(0), 70);
    }
}
