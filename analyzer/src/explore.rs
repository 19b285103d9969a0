//! Runs a program: once, as compiled, or many times under many schedules.

use crate::{
    diagnostic::Diagnostic,
    instance::program::Program,
    project::{Binary, Place, Project},
    rules::{self, Names},
};
use interp::{
    finding::{Finding, Object, Owner, Rule, StackEntry},
    host::Host,
    ir::{FnId, Site},
    rng,
    run::{self, Bound, Config, Map, Output, RunEnd, RunOutcome, Session},
    sched::{PointKind, RandomWalk, Scheduler},
    term::Origin,
};
use ra_ap_base_db::Crate;
use rustc_hash::FxHashSet;

/// Steps that an entry may take in all its runs once it has started a second thread (design §5).
const MAX_STEPS_OF_ENTRY: u64 = 10_000_000;

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// Configuration's seed; each entry makes its own of it (invariant 4).
    pub seed: u64,
    /// Runs of an entry that starts a second thread.
    pub runs: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 0, runs: 100 }
    }
}

/// What the exploration of one entry gave.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// One for each root cause, in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that lie wholly in dependencies: counted, not shown.
    pub elsewhere: usize,
    /// Findings that rest on something that was not understood: counted, not shown.
    pub possible: usize,
    /// Runs made.
    pub runs: u32,
    /// Steps in all of them.
    pub steps: u64,
    /// Places where threads synchronise that were reached, and of these with another thread running.
    pub reached: (usize, usize),
    /// How runs ended that did not come to the program's own end, and how many did so.
    pub cut_short: Vec<(String, u32)>,
    /// Uninterpreted values met, and the first one.
    pub uninterpreted: Option<Uninterpreted>,
}

/// The uninterpreted values of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uninterpreted {
    /// How many.
    pub count: u64,
    /// Where the first came up.
    pub place: Option<Place>,
    /// Why.
    pub cause: String,
}

/// How an interpreted program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpreted {
    /// The exit status that the program's process would have; `None` if it did not come to its end.
    pub status: Option<i32>,
    /// Why it did not.
    pub cut_short: Option<String>,
    /// Values that were not known.
    pub uninterpreted: Option<Uninterpreted>,
    /// Instructions executed.
    pub steps: u64,
}

/// Interprets a program once, in the order in which its threads are started.
pub fn interpret(project: &Project, binary: &Binary, options: &Options, out: &mut dyn Output) -> Interpreted {
    Prepared::new(project, binary).interpret(options, out)
}

/// A program whose code is kept from run to run.
pub struct Prepared<'db>(Entry<'db>);

impl<'db> Prepared<'db> {
    /// No code is made before the first run needs it.
    pub fn new(project: &'db Project, binary: &Binary) -> Self {
        Prepared(Entry::new(project, binary))
    }

    /// The same without native bodies of functions that have one of their own: it does the same, slower.
    pub fn with_real_bodies(project: &'db Project, binary: &Binary) -> Self {
        Prepared(Entry { session: Session::with_real_bodies(), ..Entry::new(project, binary) })
    }

    /// The models that so far stood in for functions with a body of their own.
    pub fn fast_bodies(&self) -> Vec<&'static str> {
        self.0.program.fast_bodies()
    }

    /// As [`interpret`].
    pub fn interpret(&mut self, options: &Options, out: &mut dyn Output) -> Interpreted {
        let entry = &mut self.0;
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
        let outcome = entry.run(&config, &mut scheduler, out);
        let (status, cut_short) = match &outcome.end {
            RunEnd::Returned(code) => (Some(*code as i32), None),
            RunEnd::Exited(code) => (Some(*code), None),
            RunEnd::Panicked => (Some(101), None),
            // As a shell shows a process that SIGABRT ended.
            RunEnd::Aborted => (Some(134), None),
            end => (None, Some(entry.end_text(end))),
        };
        let uninterpreted = entry.uninterpreted(&outcome);
        Interpreted { status, cut_short, uninterpreted, steps: outcome.steps }
    }
}

/// Explores a program under many schedules.
pub fn explore(project: &Project, binary: &Binary, options: &Options) -> Explored {
    let mut entry = Entry::new(project, binary);
    let seed = rng::seed_from(&format!("{}::main", binary.name), options.seed);
    let mut explored = Explored::default();
    let mut seen = Seen::default();
    for run in 0..options.runs.max(1) {
        let config = Config { seed: rng::run_seed(seed, u64::from(run)), ..Config::default() };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(config.seed);
        let outcome = entry.run(&config, &mut scheduler, &mut Silent);
        explored.runs += 1;
        explored.steps += outcome.steps;
        for (point, count) in &outcome.reached {
            *seen.reached.entry(*point).or_insert(false) |= count.concurrent > 0;
        }
        if explored.uninterpreted.is_none() {
            explored.uninterpreted = entry.uninterpreted(&outcome);
        }
        for finding in &outcome.findings {
            explored.take(finding, &outcome, &mut entry, &mut seen);
        }
        if let Some(text) = entry.left_out(&outcome) {
            *seen.ends.entry(text).or_default() += 1;
        }
        // Nothing to schedule: every run would be this one.
        if outcome.threads <= 1 || explored.steps >= MAX_STEPS_OF_ENTRY {
            break;
        }
    }
    explored.reached = (seen.reached.len(), seen.reached.values().filter(|it| **it).count());
    explored.cut_short = seen.ends.into_iter().collect();
    explored
}

/// What the runs of an entry gave so far, besides what is told.
#[derive(Default)]
struct Seen {
    /// Where threads synchronise, and whether another one was running.
    reached: Map<(PointKind, FnId, Site), bool>,
    /// Ends of runs that people have to know of.
    ends: Map<String, u32>,
    /// Findings that are counted only, by the innermost places of their events.
    counted: FxHashSet<(Rule, Vec<StackEntry>)>,
}

impl Explored {
    /// Adds a finding, or its sites to that of the same cause.
    fn take(&mut self, finding: &Finding, outcome: &RunOutcome, entry: &mut Entry<'_>, seen: &mut Seen) {
        let mut is_new = || {
            let places = finding.events.iter().filter_map(|event| event.stack.first().copied()).collect();
            seen.counted.insert((finding.rule, places))
        };
        if !is_shown(finding, outcome) {
            self.possible += usize::from(is_new());
            return;
        }
        let Some(diagnostic) = rules::diagnose(finding, entry) else {
            self.elsewhere += usize::from(is_new());
            return;
        };
        let same = |known: &&mut Diagnostic| known.rule == diagnostic.rule && known.cause == diagnostic.cause;
        match self.diagnostics.iter_mut().find(same) {
            Some(known) => known.absorb(diagnostic),
            None => self.diagnostics.push(diagnostic),
        }
    }
}

/// Whether a finding rests on nothing that was not understood (design §6, "Confidence"). What waits for ever is only known
/// in a closed world: an unknown call or a store that went nowhere may have been what it waits for.
fn is_shown(finding: &Finding, outcome: &RunOutcome) -> bool {
    let is_open = finding.after_unknown_call || outcome.dropped_stores > 0;
    let is_understood = !matches!(finding.rests_on, Some(Origin::Unknown(_)));
    is_understood && (finding.rule != Rule::WaitsForEver || !is_open)
}

/// Output of runs that nobody watches.
struct Silent;

impl Output for Silent {
    fn write(&mut self, _fd: i32, _bytes: &[u8]) {}
}

/// A program ready to be run again and again.
struct Entry<'db> {
    project: &'db Project,
    program: Program<'db>,
    session: Session,
    start: FnId,
}

impl<'db> Entry<'db> {
    fn new(project: &'db Project, binary: &Binary) -> Self {
        let krate: Crate = binary.krate.into();
        let mut program = Program::new(project.db(), krate, project, project);
        let start = program.process(binary.main);
        Entry { project, program, session: Session::new(), start }
    }

    fn run(&mut self, config: &Config, scheduler: &mut dyn Scheduler, out: &mut dyn Output) -> RunOutcome {
        run::run(&mut self.session, &mut self.program, self.start, &[], config, scheduler, out)
    }

    /// What people have to know of a run's end; nothing of one that came to its own, or whose end is a finding.
    fn left_out(&mut self, outcome: &RunOutcome) -> Option<String> {
        match &outcome.end {
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Cancelled => None,
            RunEnd::Panicked => Some("ended by a panic".to_owned()),
            RunEnd::Aborted => Some("ended by an abort".to_owned()),
            RunEnd::Deadlock if !outcome.findings.is_empty() => None,
            end => Some(format!("not followed to the end: {}", self.end_text(end))),
        }
    }

    fn end_text(&mut self, end: &RunEnd) -> String {
        match end {
            RunEnd::Fault { fault, func, site } => {
                let place = self.program.locate(*func, *site);
                let place = place.map_or_else(String::new, |it| format!(" at {}:{}:{}", it.file, it.line, it.column));
                let why = self.session.invalid().values().flatten().next();
                let why = why.map_or_else(String::new, |it| format!(" ({it})"));
                format!("{fault} in `{}`{place}{why}", self.program.code(*func).name)
            }
            RunEnd::Bound(Bound::Steps) => "the bound on steps".to_owned(),
            RunEnd::Bound(Bound::Heap) => "the bound on heap memory".to_owned(),
            RunEnd::Bound(Bound::Stack) => "the bound on stack memory".to_owned(),
            RunEnd::Bound(Bound::Depth) => "the bound on the depth of calls".to_owned(),
            RunEnd::Bound(Bound::Threads) => "the bound on threads".to_owned(),
            RunEnd::Deadlock => "its threads wait for ever".to_owned(),
            RunEnd::NoTrapFn(trap) => format!("std's panic function for {trap:?} was not found"),
            RunEnd::UnknownCallee => "a call through a pointer that is not known".to_owned(),
            RunEnd::Cancelled => "cancelled".to_owned(),
            RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Panicked | RunEnd::Aborted => "its end".to_owned(),
        }
    }

    fn uninterpreted(&mut self, outcome: &RunOutcome) -> Option<Uninterpreted> {
        let first = outcome.first_uninterpreted?;
        let cause = match first.origin {
            Origin::Unknown(cause) => self.program.cause(cause).to_string(),
            Origin::Input => "a value from outside the program".to_owned(),
            other => format!("{other:?}"),
        };
        let place = self.place_of(first.func, first.site);
        Some(Uninterpreted { count: outcome.uninterpreted, place, cause })
    }

    fn place_of(&mut self, func: FnId, site: Site) -> Option<Place> {
        let (owner, site) = self.program.source_site(func, site)?;
        self.project.place_of(owner, site)
    }
}

impl Names for Entry<'_> {
    fn place(&mut self, entry: &StackEntry) -> Option<Place> {
        self.place_of(entry.func, entry.site)
    }

    fn function(&mut self, entry: &StackEntry) -> String {
        self.program.code(entry.func).name.to_string()
    }

    fn object(&mut self, object: &Object) -> Option<String> {
        match object.owner {
            Owner::Global(id) => {
                let global = self.program.global(id);
                global.is_static.then(|| format!("`{}`", global.name))
            }
            _ => None,
        }
    }
}
