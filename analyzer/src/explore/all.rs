//! Many entries, on all cores. Each is explored as if it were alone (invariants 3 and 4), and they are told of in their order.

use super::{Explored, Options, entry_runner::EntryRunner, explore_entry, portfolio::share};
use crate::{
    budget, guard,
    project::{EntryKind, EntryPoint, Project},
};
use ra_ap_hir as hir;
use std::{
    collections::BTreeMap,
    panic::resume_unwind,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// What stands where an entry's exploration failed.
const FAILED: &str = "the analysis of an entry failed, which is a mistake of tsvd-check: please report it";

/// What is said of an entry that was not begun.
const NO_MEMORY: &str = "not run: memory is over its limit";

/// Explores entries and hands over the number of each with what it gave, in their order. `progress` hears of every run: the
/// number of the entry, and how many of its runs are done.
pub fn explore_all(
    project: &Project,
    points: &[EntryPoint],
    options: &Options,
    progress: &(dyn Fn(usize, u32) + Sync),
    on_explored: &mut dyn FnMut(usize, Explored),
) {
    let options = &Options { steps: Some(options.steps.unwrap_or(share(points.len()))), ..options.clone() };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if points.len() <= 1 || cores == 1 {
        let mut worker = Worker::new(project, options);
        for (index, point) in points.iter().enumerate() {
            on_explored(index, worker.explore(point, &mut |runs| progress(index, runs)));
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
                let work = || {
                    snapshot.with_db(|project| {
                        let mut worker = Worker::new(project, options);
                        loop {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            let Some(point) = points.get(index) else { return };
                            let explored = worker.explore(point, &mut |runs| progress(index, runs));
                            if sender.send((index, explored)).is_err() {
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
        for (index, explored) in receiver {
            early.insert(index, explored);
            while let Some(explored) = early.remove(&due) {
                on_explored(due, explored);
                due += 1;
            }
        }
    });
    // An edit ends all of it.
    if let Some(payload) = cancelled.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(payload);
    }
}

/// Explores one entry after the other.
struct Worker<'db> {
    project: &'db Project,
    options: &'db Options,
    /// Code that the tests of a crate share.
    shared: Option<(hir::Crate, EntryRunner<'db>)>,
}

impl<'db> Worker<'db> {
    fn new(project: &'db Project, options: &'db Options) -> Self {
        Worker { project, options, shared: None }
    }

    fn explore(&mut self, point: &EntryPoint, progress: &mut dyn FnMut(u32)) -> Explored {
        if budget::is_out_of_memory() {
            return Explored { cut_short: vec![(NO_MEMORY.to_owned(), 1)], ..Explored::default() };
        }
        let explored = guard::caught(self.project.db(), || {
            if point.kind == EntryKind::Test
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

    /// Most tests are one run without a second thread, and nothing is wrong in it. That run does not need code of its own, which
    /// takes more time than the run; the others are explored from the start, so that no finding rests on what other tests do.
    fn run_once(&mut self, point: &EntryPoint) -> Option<Explored> {
        let mut entry = match self.shared.take().filter(|(krate, _)| *krate == point.krate) {
            Some((_, mut entry)) => {
                entry.start_at(point.start);
                entry
            }
            None => EntryRunner::new(self.project, point),
        };
        let once = Options { runs: Some(1), ..self.options.clone() };
        let explored = explore_entry(&mut entry, point, &once, &mut |_| {});
        self.shared = Some((point.krate, entry));
        let is_silent = explored.diagnostics.is_empty()
            && explored.possible.is_empty()
            && explored.elsewhere + explored.unconfirmed == 0;
        (explored.is_only_run && is_silent).then_some(explored)
    }
}
