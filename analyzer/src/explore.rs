//! Runs a program: once, as compiled, or many times under many schedules.
//!
//! An exploration makes its runs by a [`portfolio`] of strategies, [merges](merge) what they find by root cause, and
//! [minimises](minimise) the schedule that shows each; that schedule is a [`Witness`](crate::witness::Witness), from which
//! alone the finding is shown [again](replay()).

mod all;
mod control;
mod entry_runner;
mod features;
mod harness;
mod merge;
mod minimise;
mod portfolio;
mod replay;
mod verdict;

pub use crate::lower::bodies_lowered;
pub use all::{ExploreEvent, explore_all};
pub use portfolio::RUNS;
pub use replay::{Replayed, replay};
pub use verdict::{Judge, Judged, Verdict};

use self::{
    entry_runner::{EntryRunner, Silent},
    harness::{Judgement, LONE_RUNS},
    merge::RootCauses,
    portfolio::Portfolio,
};
use crate::{
    budget,
    outcome::{Explored, ProgramOutcome},
    project::{EntryPoint, Project},
};
use interp::{
    environment::Environment,
    ir::{FnId, Site},
    rng,
    run::{Config, Map, RunEnd},
    sched::{PointKind, RandomWalk, Recorder, Scheduler, Strategy},
    term::Source,
};
use std::ops::ControlFlow;

/// How to explore.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Configuration's seed; each entry makes its own of it (invariant 4).
    pub seed: u64,
    /// Runs of an entry that starts a second thread. Without a number [`RUNS`], and more of a short one in which nothing
    /// was found.
    pub runs: Option<u32>,
    /// Steps of a run; as many as the machine's own bound allows without a number.
    pub max_steps: Option<u64>,
    /// Steps of all runs of an entry that starts a second thread; see [`explore_all`].
    pub steps: Option<u64>,
    /// The strategy of all runs; they rotate through several without one.
    pub strategy: Option<Strategy>,
    /// Whether to note which bodies an entry runs: no code is shared between entries then.
    pub records_reads: bool,
}

/// Interprets a program once, in the order in which its threads are started.
pub fn interpret(
    project: &Project,
    point: &EntryPoint,
    options: &Options,
    environment: &mut dyn Environment,
) -> ProgramOutcome {
    Prepared::new(project, point).interpret(options, environment)
}

/// A program whose code is kept from run to run.
pub struct Prepared<'db> {
    entry: EntryRunner<'db>,
    point: EntryPoint,
}

impl<'db> Prepared<'db> {
    /// No code is made before the first run needs it.
    pub fn new(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::new(project, point), point: point.clone() }
    }

    /// The same without native bodies of functions that have one of their own: it does the same, slower.
    pub fn with_real_bodies(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::with_real_bodies(project, point), point: point.clone() }
    }

    /// The same with code as it is first made: nothing is left out of it, and every call is one. It does the same,
    /// slower.
    pub fn unoptimised(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::unoptimised(project, point), point: point.clone() }
    }

    /// The models that so far stood in for functions with a body of their own.
    pub fn fast_bodies(&self) -> Vec<&'static str> {
        self.entry.fast_bodies()
    }

    /// As [`interpret`].
    pub fn interpret(&mut self, options: &Options, environment: &mut dyn Environment) -> ProgramOutcome {
        let entry = &mut self.entry;
        let config = Config {
            seed: options.seed,
            max_steps: 10_000_000_000,
            heap_bytes: 1 << 30,
            stack_bytes: 8 << 20,
            max_depth: 100_000,
            ..Config::default()
        };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(options.seed);
        let outcome = entry.run(&config, &mut scheduler, environment);
        let (status, cut_short) = match &outcome.end {
            RunEnd::Returned(code) => (Some(*code as i32), None),
            RunEnd::Exited(code) => (Some(*code), None),
            RunEnd::Panicked => (Some(101), None),
            // As a shell shows a process that SIGABRT ended.
            RunEnd::Aborted => (Some(134), None),
            end => (None, Some(entry.end_text(end))),
        };
        let uninterpreted = entry.uninterpreted(&outcome.sources);
        ProgramOutcome { status, cut_short, uninterpreted, steps: outcome.steps }
    }

    /// As [`explore`]; what was explored before shows in nothing but time.
    pub fn explore(&mut self, options: &Options) -> Explored {
        explore_entry(&mut self.entry, &self.point, options, &mut |_| ControlFlow::Continue(()))
    }
}

/// Explores a program under many schedules.
pub fn explore(project: &Project, point: &EntryPoint, options: &Options) -> Explored {
    Prepared::new(project, point).explore(options)
}

/// Explores an entry; `progress` is told how many runs are done, and can end it.
fn explore_entry(
    entry: &mut EntryRunner<'_>,
    point: &EntryPoint,
    options: &Options,
    progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Explored {
    let name = point.path();
    let seed = rng::seed_from(&name, options.seed);
    let mut explored = Explored::default();
    let mut reached = Reached::default();
    let mut ends: Map<String, u32> = Map::default();
    let mut sources: Map<Source, u64> = Map::default();
    let mut causes = RootCauses::default();
    let mut portfolio = Portfolio::new(options.strategy, options.max_steps, options.steps);
    let mut judgement = Judgement::default();
    let (mut run, mut threads) = (0, 0);
    while portfolio.goes_on(run, options.runs, explored.steps, causes.is_empty()) {
        let strategy = portfolio.strategy(run);
        let config = Config {
            seed: rng::run_seed(seed, u64::from(run)),
            max_steps: portfolio.max_steps(run),
            wake_ups: strategy.wake_ups(),
            ..Config::default()
        };
        let mut recorder = Recorder::new(portfolio.scheduler(run));
        recorder.begin_run(config.seed);
        let mut outcome = entry.run(&config, &mut recorder, &mut Silent);
        explored.runs += 1;
        let is_cancelled = progress(explored.runs).is_break();
        explored.steps += outcome.steps;
        for (point, count) in &outcome.reached {
            *reached.entry(*point).or_insert(false) |= count.concurrent > 0;
        }
        for (source, count) in &outcome.sources {
            *sources.entry(*source).or_default() += count;
        }
        if entry.is_harness() {
            judgement.judge(&mut outcome, &config, entry);
        }
        causes.take(&outcome, &config, &recorder, entry);
        if let Some(text) = entry.left_out(&outcome) {
            *ends.entry(text).or_default() += 1;
        }
        portfolio.learn(&outcome);
        threads = threads.max(outcome.threads);
        explored.is_only_run =
            outcome.threads <= 1 && !outcome.varies || entry.is_harness() && threads <= 1 && explored.runs >= LONE_RUNS;
        if explored.is_only_run || is_cancelled || budget::is_out_of_memory() {
            break;
        }
        run += 1;
    }
    explored.is_curtailed =
        !explored.is_only_run && portfolio.is_curtailed(run, options.runs, explored.steps, causes.is_empty());
    let places =
        reached.iter().filter_map(|((_, func, site), concurrent)| Some((entry.site(*func, *site)?, *concurrent)));
    explored.reached = places.collect();
    explored.cut_short = ends.into_iter().collect();
    explored.elsewhere = causes.elsewhere;
    explored.possible = std::mem::take(&mut causes.possible);
    explored.uninterpreted = entry.uninterpreted(&sources);
    (explored.diagnostics, explored.unconfirmed) = causes.diagnostics(&name, explored.runs, entry);
    if options.records_reads {
        explored.bodies = entry.bodies();
    }
    explored.has_inputs = entry.has_dictionary();
    explored.skipped = entry.skipped();
    let shown = &explored.diagnostics;
    explored.possible.retain(|possible| !shown.iter().any(|known| known.is_same_bug(possible)));
    for diagnostic in explored.diagnostics.iter_mut().chain(&mut explored.possible) {
        diagnostic.entry = Some(point.entry_name());
    }
    explored
}

/// Where threads synchronise, and whether another one was running.
type Reached = Map<(PointKind, FnId, Site), bool>;
