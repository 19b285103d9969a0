//! Decides which strategy makes which run of an entry, and how long the run may get.
//!
//! A pure function of the outcomes of the earlier runs.

use interp::{
    run::{Bound, Config, RunEnd, RunOutcome, Waits},
    sched::{Coarse, Hints, PointKind, Scheduler, Strategy},
};

/// Maximum number of steps of all runs of an entry that has started a second thread (architecture, "Bounds").
const MAX_STEPS_OF_ENTRY: u64 = 10_000_000;

/// Steps that all entries of a package share equally: an entry's share must not depend on the order of entries.
const MAX_STEPS_OF_ALL: u64 = 2_000_000_000;

/// The share of each of `entries` entries. The first run is made in any case.
pub(crate) fn share(entries: usize) -> u64 {
    (MAX_STEPS_OF_ALL / (entries as u64).max(1)).min(MAX_STEPS_OF_ENTRY)
}

/// Steps that the programs of a package may take, each once, before schedules can differ; a program may take this many.
const MAX_PREFIX_STEPS_OF_ALL: u64 = 60_000_000;
const MAX_PREFIX_STEPS: u64 = 20_000_000;

/// The steps that each of so many programs may take before schedules can differ.
pub(crate) fn share_of_prefix(programs: usize) -> u64 {
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

/// If runs reach the step bound, one in this many gets the full length. The others end at a fraction of it: bugs show
/// early more often than late, and more runs fit in.
const FULL_LENGTH: u32 = 4;
const SHORT: u64 = 10;

/// The plan for the runs of an entry.
#[derive(Debug)]
pub(super) struct Portfolio {
    forced: Option<Strategy>,
    /// Maximum number of steps of a run.
    most_steps: u64,
    /// Maximum number of steps of all runs.
    all_steps: u64,
    runs: u32,
    /// Number of choices in all runs.
    points: u64,
    /// Number of these outside of dependencies.
    own_points: u64,
    /// Their kinds, where several threads could run, in order of occurrence.
    kinds: Vec<PointKind>,
    waits: Waits,
    is_endless: bool,
}

impl Portfolio {
    /// A plan with one strategy or the rotation, and with a given bound on a run's steps.
    pub(super) fn new(forced: Option<Strategy>, most_steps: Option<u64>, all_steps: Option<u64>) -> Portfolio {
        Portfolio {
            forced,
            most_steps: most_steps.unwrap_or(Config::default().max_steps),
            all_steps: all_steps.unwrap_or(MAX_STEPS_OF_ENTRY),
            runs: 0,
            points: 0,
            own_points: 0,
            kinds: Vec::new(),
            waits: Waits::default(),
            is_endless: false,
        }
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

    /// Whether to make another run after `done` runs that took `steps` in all. `asked` is the requested number.
    pub(super) fn goes_on(&self, done: u32, asked: Option<u32>, steps: u64, is_silent: bool) -> bool {
        let more = is_silent && steps < FEW_STEPS;
        let most = asked.unwrap_or(if more { MAX_RUNS } else { RUNS }).max(1);
        done < most && steps < self.all_steps
    }

    /// Whether the share of steps ended the runs early.
    pub(super) fn is_curtailed(&self, done: u32, asked: Option<u32>, steps: u64, is_silent: bool) -> bool {
        let alone = Portfolio { all_steps: MAX_STEPS_OF_ENTRY, kinds: Vec::new(), ..*self };
        !self.goes_on(done, asked, steps, is_silent) && alone.goes_on(done, asked, steps, is_silent)
    }

    /// Maximum number of steps of this run.
    pub(super) fn max_steps(&self, run: u32) -> u64 {
        let full = self.most_steps;
        if self.is_endless && !run.is_multiple_of(FULL_LENGTH) { full / SHORT } else { full }
    }

    /// Takes the outcome of a run into account.
    pub(super) fn learn(&mut self, outcome: &RunOutcome) {
        self.runs += 1;
        self.points += outcome.choices;
        self.own_points += outcome.own_choices;
        for ((kind, ..), reached) in &outcome.reached {
            if reached.concurrent > 0 && !self.kinds.contains(kind) {
                self.kinds.push(*kind);
            }
        }
        self.waits.timed |= outcome.waits.timed;
        self.waits.notified |= outcome.waits.notified;
        self.is_endless |= outcome.end == RunEnd::Bound(Bound::Steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_has_its_turn_when_it_is_of_use() {
        let mut portfolio = Portfolio::new(None, None, None);
        let planned =
            |portfolio: &Portfolio| (0..ROTATION.len() as u32).map(|run| portfolio.strategy(run)).collect::<Vec<_>>();
        assert!(planned(&portfolio).iter().all(|it| it.wake_ups() == interp::sched::WakeUps::Exact));
        portfolio.waits = Waits { timed: true, notified: true };
        let all = planned(&portfolio);
        assert!(Strategy::ALL.iter().all(|strategy| all.contains(strategy)));
        assert!(
            (0..ROTATION.len() as u32)
                .all(|run| Portfolio::new(Some(Strategy::Sticky), None, None).strategy(run) == Strategy::Sticky)
        );
    }

    #[test]
    fn short_programs_get_more_runs_while_nothing_is_found() {
        let portfolio = Portfolio::new(None, None, None);
        let goes_on = |done, steps, is_silent| portfolio.goes_on(done, None, steps, is_silent);
        assert!(goes_on(99, 9_000_000, false) && !goes_on(99, 10_000_000, true));
        assert!(goes_on(100, 1_999_999, true) && !goes_on(100, 2_000_000, true) && !goes_on(100, 1, false));
        assert!(!goes_on(400, 400, true));
        let asked = |done| portfolio.goes_on(done, Some(7), done.into(), true);
        assert!(asked(6) && !asked(7) && portfolio.goes_on(0, Some(0), 0, true));
    }

    #[test]
    fn many_entries_share_their_steps() {
        assert_eq!((share(0), share(1), share(200), share(1_000)), (10_000_000, 10_000_000, 10_000_000, 2_000_000));
        assert_eq!([0, 1, 6, 1_000].map(share_of_prefix), [20_000_000, 20_000_000, 10_000_000, 1_000_000]);
        assert_eq!([0, 1, 1_000, 4_000].map(share_of_run), [None, None, None, Some(250_000)]);
        let portfolio = Portfolio::new(None, None, Some(share(1_000)));
        assert!(portfolio.goes_on(0, None, 0, true) && portfolio.goes_on(9, None, 1_999_999, true));
        assert!(!portfolio.goes_on(9, None, 2_000_000, true) && portfolio.is_curtailed(9, None, 2_000_000, true));
        assert!(
            !portfolio.is_curtailed(9, None, 1_999_999, true) && !portfolio.is_curtailed(100, None, 2_000_000, true)
        );
    }

    #[test]
    fn endless_programs_get_short_runs_between_long_ones() {
        let mut portfolio = Portfolio::new(None, None, None);
        assert_eq!(portfolio.max_steps(1), 1_000_000);
        portfolio.is_endless = true;
        assert_eq!((portfolio.max_steps(4), portfolio.max_steps(5)), (1_000_000, 100_000));
        assert_eq!(Portfolio::new(None, Some(70), None).max_steps(0), 70);
    }
}
