//! Explores many entries on all cores. Each is explored as if it were alone (invariants 3 and 4); results come in the
//! order of the entries.

use super::{Options, entry_runner::EntryRunner, explore_entry, portfolio};
use crate::{
    budget, guard,
    outcome::Explored,
    project::{EntryKind, EntryPoint, Project},
};
use ra_ap_hir as hir;
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::resume_unwind,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// The message for an entry whose exploration failed.
const FAILED: &str = "the analysis of an entry failed, which is a bug of tsvd-check: please report it";

/// Among more entries than this, each test is first run once with shared code, and explored only if that run shows
/// something. Generating code takes longer than most runs.
const MOST_WITH_OWN_CODE: usize = 2_000;

/// Maximum number of tests that share code: the code of more takes much memory.
const MOST_WITH_SHARED_CODE: usize = 500;

/// The message for an entry that was not started.
const NO_MEMORY: &str = "not run: memory is over its limit";

/// Progress of an exploration of many entries.
pub enum ExploreEvent {
    /// An entry has finished this many schedules.
    Schedule {
        /// Its index.
        entry: usize,
        /// The number of schedules.
        schedules: u32,
    },
    /// An entry is finished. These events come in the order of the entries.
    Explored {
        /// Its index.
        entry: usize,
        /// The result.
        explored: Box<Explored>,
    },
}

/// Explores entries. Calls `on_event` on the calling thread, which can end the exploration.
pub fn explore_all(
    project: &Project,
    points: &[EntryPoint],
    options: &Options,
    on_event: &mut dyn FnMut(ExploreEvent) -> ControlFlow<()>,
) {
    let options = &Options {
        steps: Some(options.steps.unwrap_or(portfolio::share(points.len()))),
        max_steps: options.max_steps.or(portfolio::share_of_run(points.len())),
        ..options.clone()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if points.len() <= 1 || cores == 1 {
        let mut worker = Worker::new(project, options, points.len());
        for (entry, point) in points.iter().enumerate() {
            let mut is_over = false;
            let explored = worker.explore(point, &mut |schedules| {
                let next = on_event(ExploreEvent::Schedule { entry, schedules });
                is_over |= next.is_break();
                next
            });
            // A partial result is discarded.
            if is_over || on_event(ExploreEvent::Explored { entry, explored: Box::new(explored) }).is_break() {
                return;
            }
        }
        return;
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let cancelled = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(points.len()) {
            let (sender, next) = (sender.clone(), &next);
            let (snapshot, cancelled) = (project.clone(), &cancelled);
            scope.spawn(move || {
                // The receiver is gone once it is over.
                let send = |event| match sender.send(event) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                };
                let work = || {
                    snapshot.with_db(|project| {
                        let mut worker = Worker::new(project, options, points.len());
                        loop {
                            let entry = next.fetch_add(1, Ordering::Relaxed);
                            let Some(point) = points.get(entry) else { return };
                            let explored = worker
                                .explore(point, &mut |schedules| send(ExploreEvent::Schedule { entry, schedules }));
                            if send(ExploreEvent::Explored { entry, explored: Box::new(explored) }).is_break() {
                                return;
                            }
                        }
                    })
                };
                if let Err(payload) = guard::unwinding(work) {
                    *cancelled.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for event in receiver {
            let mut is_going_on = true;
            match event {
                ExploreEvent::Schedule { .. } => is_going_on = on_event(event).is_continue(),
                ExploreEvent::Explored { entry, explored } => {
                    early.insert(entry, explored);
                    while is_going_on && let Some(explored) = early.remove(&due) {
                        is_going_on = on_event(ExploreEvent::Explored { entry: due, explored }).is_continue();
                        due += 1;
                    }
                }
            }
            if !is_going_on {
                break;
            }
        }
    });
    // An edit cancels the whole exploration.
    if let Some(payload) = cancelled.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(payload);
    }
}

/// Explores entries one after the other.
struct Worker<'db> {
    project: &'db Project,
    options: &'db Options,
    /// The number of entries.
    entries: usize,
    /// Code that tests of a crate share, and the number of these tests.
    shared: Option<(hir::Crate, EntryRunner<'db>, usize)>,
}

impl<'db> Worker<'db> {
    fn new(project: &'db Project, options: &'db Options, entries: usize) -> Self {
        Worker { project, options, entries, shared: None }
    }

    fn explore(&mut self, point: &EntryPoint, progress: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Explored {
        if budget::is_out_of_memory() {
            return Explored { cut_short: vec![(NO_MEMORY.to_owned(), 1)], ..Explored::default() };
        }
        let explored = guard::caught(self.project.db(), || {
            if (point.kind == EntryKind::Test || self.options.runs == Some(1))
                && !self.options.records_reads
                && let Some(explored) = self.run_once(point)
            {
                return explored;
            }
            explore_entry(&mut EntryRunner::new(self.project, point), point, self.options, progress)
        });
        explored.unwrap_or_else(|| {
            self.shared = None;
            Explored { cut_short: vec![(FAILED.to_owned(), 1)], ..Explored::default() }
        })
    }

    /// Most tests have one thread and no finding. One run without code of its own is enough for these, since generating
    /// code takes longer than the run. All others are explored from the start, so that no finding depends on other
    /// tests.
    fn run_once(&mut self, point: &EntryPoint) -> Option<Explored> {
        let is_fit = |(krate, _, tests): &(hir::Crate, EntryRunner<'db>, usize)| {
            *krate == point.krate && *tests < MOST_WITH_SHARED_CODE
        };
        let (mut entry, tests) = match self.shared.take().filter(is_fit) {
            Some((_, mut entry, tests)) => {
                entry.start_at(point.start);
                (entry, tests)
            }
            None => (EntryRunner::new(self.project, point), 0),
        };
        let once = Options { runs: Some(1), ..self.options.clone() };
        let explored = explore_entry(&mut entry, point, &once, &mut |_| ControlFlow::Continue(()));
        self.shared = Some((point.krate, entry, tests + 1));
        let is_silent = explored.diagnostics.is_empty()
            && explored.possible.is_empty()
            && explored.elsewhere + explored.unconfirmed == 0;
        if !is_silent {
            return None;
        }
        // A run that is all that was asked for is not made twice.
        if explored.is_only_run || self.options.runs == Some(1) {
            return Some(explored);
        }
        (self.entries > MOST_WITH_OWN_CODE).then_some(Explored { is_curtailed: true, ..explored })
    }
}
