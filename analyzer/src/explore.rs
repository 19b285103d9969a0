//! Runs a program: once, as compiled, or many times under many schedules.
//!
//! An exploration gets its runs from a [`portfolio`] of strategies, [merges](merge) their findings by root cause, and
//! [minimises](minimise) the schedule of each. That schedule is a [`Witness`](crate::witness::Witness): it suffices to
//! [replay](replay()) the finding.

mod all;
mod control;
mod entry_runner;
mod features;
mod harness;
mod merge;
mod minimise;
mod portfolio;
mod prefix;
mod replay;
mod verdict;

pub use crate::lower::bodies_lowered;
pub use all::{ExploreEvent, explore_all};
pub use portfolio::RUNS;
pub(crate) use portfolio::{share, share_of_prefix, share_of_run};
pub use replay::{Replayed, replay};
pub use verdict::{Judge, Judged, Verdict};

use self::{
    entry_runner::EntryRunner,
    harness::{Judgement, LONE_RUNS},
    merge::RootCauses,
    portfolio::Portfolio,
    prefix::Prefixes,
};
use crate::{
    budget,
    outcome::{Explored, ProgramOutcome},
    project::{EntryKind, EntryPoint, Project},
};
use interp::{
    environment::Environment,
    ir::{FnId, Site},
    rng,
    run::{Config, Jitter, Map, RunEnd},
    sched::{PointKind, RandomWalk, Recorder, Scheduler, Strategy},
    term::Source,
};
use std::ops::ControlFlow;

/// Options of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The configuration's seed; each entry derives its own from it (invariant 4).
    pub seed: u64,
    /// Number of runs of an entry that starts a second thread. By default [`RUNS`], or more for a short one in which
    /// nothing was found.
    pub runs: Option<u32>,
    /// Maximum number of steps of a run from where schedules can differ; by default the machine's own bound.
    pub max_steps: Option<u64>,
    /// Maximum number of steps of a program before that; by default `max_steps`.
    pub prefix_steps: Option<u64>,
    /// Maximum number of steps of all runs of an entry that starts a second thread; see [`explore_all`].
    pub steps: Option<u64>,
    /// One strategy for all runs; by default they rotate.
    pub strategy: Option<Strategy>,
    /// How late threads may wake; by default [`Jitter::USUAL`].
    pub jitter: Option<Jitter>,
    /// Whether to record which bodies an entry runs: entries then share no code.
    pub records_reads: bool,
    /// Whether an entry's result comes as soon as it is known, instead of in the order of the entries.
    pub is_unordered: bool,
}

/// Interprets a program once, running threads in the order in which they are started.
pub fn interpret(
    project: &Project,
    point: &EntryPoint,
    options: &Options,
    environment: &mut dyn Environment,
) -> ProgramOutcome {
    Prepared::new(project, point).interpret(options, environment)
}

/// A program whose code is reused from run to run.
pub struct Prepared<'db> {
    entry: EntryRunner<'db>,
    point: EntryPoint,
}

impl<'db> Prepared<'db> {
    /// Code is generated when a run first needs it.
    pub fn new(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::new(project, point), point: point.clone() }
    }

    /// The same without fast bodies: results are equal, runs are slower.
    pub fn with_real_bodies(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::with_real_bodies(project, point), point: point.clone() }
    }

    /// The same without optimisation and inlining: results are equal, runs are slower.
    pub fn unoptimised(project: &'db Project, point: &EntryPoint) -> Self {
        Prepared { entry: EntryRunner::unoptimised(project, point), point: point.clone() }
    }

    /// The fast bodies used so far.
    pub fn fast_bodies(&self) -> Vec<&'static str> {
        self.entry.fast_bodies()
    }

    /// Like [`interpret`].
    pub fn interpret(&mut self, options: &Options, environment: &mut dyn Environment) -> ProgramOutcome {
        let entry = &mut self.entry;
        let bound = options.max_steps.unwrap_or(10_000_000_000);
        let config = Config {
            seed: options.seed,
            prefix_steps: bound,
            max_steps: bound,
            heap_bytes: 1 << 30,
            stack_bytes: 8 << 20,
            max_depth: 100_000,
            jitter: Jitter::NONE,
            ..Config::default()
        };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(options.seed);
        let outcome = entry.run(&config, &mut scheduler, environment);
        let (status, cut_short) = match &outcome.end {
            RunEnd::Returned(code) => (Some(*code as i32), None),
            RunEnd::Exited(code) => (Some(*code), None),
            RunEnd::Panicked => (Some(101), None),
            // As shells report a process that SIGABRT ended.
            RunEnd::Aborted => (Some(134), None),
            end => (None, Some(entry.end_text(end))),
        };
        let uninterpreted = entry.uninterpreted(&outcome.sources);
        ProgramOutcome { status, cut_short, uninterpreted, steps: outcome.steps }
    }

    /// Like [`explore`]. Earlier explorations affect only the time it takes.
    pub fn explore(&mut self, options: &Options) -> Explored {
        explore_entry(&mut self.entry, &self.point, options, &mut |_| ControlFlow::Continue(()))
    }
}

/// Explores a program under many schedules.
pub fn explore(project: &Project, point: &EntryPoint, options: &Options) -> Explored {
    Prepared::new(project, point).explore(options)
}

/// Explores an entry; `progress` receives the number of finished runs and can end it.
fn explore_entry(
    entry: &mut EntryRunner<'_>,
    point: &EntryPoint,
    options: &Options,
    progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Explored {
    let (explored, causes) = run_schedules(entry, point, options, progress);
    with_findings(explored, causes, entry, point, options)
}

/// Runs an entry once; `None` if the run shows something. No finding is minimised.
fn silent_run(entry: &mut EntryRunner<'_>, point: &EntryPoint, options: &Options) -> Option<Explored> {
    let once = Options { runs: Some(1), ..options.clone() };
    let (explored, causes) = run_schedules(entry, point, &once, &mut |_| ControlFlow::Continue(()));
    causes.is_silent().then(|| with_findings(explored, causes, entry, point, &once))
}

/// Runs an entry under many schedules. The findings are still to be reported.
fn run_schedules(
    entry: &mut EntryRunner<'_>,
    point: &EntryPoint,
    options: &Options,
    progress: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> (Explored, RootCauses) {
    let name = point.path();
    let seed = rng::seed_from(&name, options.seed);
    let mut explored = Explored::default();
    let mut reached = Reached::default();
    let mut ends: Map<String, u32> = Map::default();
    let mut sources: Map<Source, u64> = Map::default();
    let mut causes = RootCauses::default();
    let mut portfolio = Portfolio::new(options.strategy, options.max_steps, options.steps);
    let mut judgement = Judgement::default();
    let mut prefixes = Prefixes::default();
    let bound = options.max_steps.unwrap_or(Config::default().max_steps);
    let (mut run, mut threads) = (0, 0);
    while portfolio.goes_on(run, options.runs, explored.steps, causes.is_empty()) {
        let strategy = portfolio.strategy(run);
        let mut config = Config {
            seed: rng::run_seed(seed, u64::from(run)),
            prefix_steps: options.prefix_steps.filter(|_| point.kind == EntryKind::Main).unwrap_or(bound),
            max_steps: portfolio.max_steps(run),
            wake_ups: strategy.wake_ups(),
            jitter: options.jitter.unwrap_or(Jitter::USUAL),
            ..Config::default()
        };
        if prefixes.is_exhausted(&config) {
            break;
        }
        let mut recorder = Recorder::new(portfolio.scheduler(run));
        recorder.begin_run(config.seed);
        let (mut outcome, steps) = prefixes.run(&mut config, &mut recorder, entry);
        explored.runs += 1;
        let is_cancelled = progress(explored.runs).is_break();
        explored.steps += steps;
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
        if budget::has_exploration_ended() {
            explored.is_out_of_time = portfolio.goes_on(run + 1, options.runs, explored.steps, causes.is_empty());
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
    explored.uninterpreted = entry.uninterpreted(&sources);
    (explored, causes)
}

/// The result of an entry, with its findings.
fn with_findings(
    mut explored: Explored,
    mut causes: RootCauses,
    entry: &mut EntryRunner<'_>,
    point: &EntryPoint,
    options: &Options,
) -> Explored {
    explored.elsewhere = causes.elsewhere;
    explored.possible = std::mem::take(&mut causes.possible);
    (explored.diagnostics, explored.unconfirmed) = causes.diagnostics(&point.path(), explored.runs, entry);
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

/// Reached synchronisation sites, and whether another thread was running.
type Reached = Map<(PointKind, FnId, Site), bool>;
