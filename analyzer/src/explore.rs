//! Runs a program: once, as compiled, or many times under many schedules.
//!
//! An exploration gets its runs from a [`portfolio`] of strategies, [merges](merge) their findings by root cause, and
//! [minimises](minimise) the schedule of each. That schedule is a [`Witness`](crate::witness::Witness): it suffices to
//! [replay](replay()) the finding.

mod all;
mod as_test;
mod call_pairs;
mod command_words;
mod contexts;
mod contrast;
mod control;
mod effort;
mod entry_runner;
mod exploration;
mod features;
mod harness;
mod merge;
mod minimise;
mod planned;
mod portfolio;
mod prefix;
mod replay;
mod rounds;
mod shards;
mod test_context;
mod verdict;

pub use crate::lower::bodies_lowered;
pub use all::{ExploreEvent, explore_all};
pub use as_test::{TestRunner, as_test};
pub use effort::Effort;
pub(crate) use planned::{PlanResult, explore_planned};
pub use portfolio::RUNS;
pub(crate) use portfolio::{share, share_of_prefix, share_of_run};
pub use replay::{Replayed, replay};
pub(crate) use rounds::{Plan, StaticReach};
pub use verdict::{TestInterpreter, TestResult, Verdict};

use self::{entry_runner::EntryRunner, exploration::Exploration};
use crate::{
    outcome::{Explored, ProgramOutcome},
    project::{EntryPoint, Project},
};
use interp::{
    environment::Environment,
    run::{Config, Jitter, RunEnd},
    sched::{RandomWalk, Scheduler, Strategy},
};
use std::ops::ControlFlow;

/// What `lang_start` returns if `main` panicked.
const PANICKED: i64 = 101;

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
    /// How much is done if no number of runs is requested.
    pub effort: Effort,
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
        let outcome = entry.run_in(environment, &config, &mut scheduler);
        let (status, cut_short) = match &outcome.end {
            RunEnd::Returned(code) => (Some(*code as i32), None),
            RunEnd::Exited(code) => (Some(*code), None),
            RunEnd::Panicked => (Some(PANICKED as i32), None),
            // As shells report a process that SIGABRT ended.
            RunEnd::Aborted => (Some(134), None),
            end => (None, Some(entry.end_text(end))),
        };
        let uninterpreted = exploration::uninterpreted(entry.causes(&outcome.sources));
        ProgramOutcome { status, cut_short, uninterpreted, varies: outcome.varies, steps: outcome.steps }
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
    let mut exploration = Exploration::new(point, options);
    exploration.run(entry, None, progress);
    exploration.finish(entry, point, options)
}
