//! Explores many entries on all cores. Each is explored as if it were alone (invariants 3 and 4); results come in the
//! order of the entries.

use super::{
    Options,
    contexts::{Contexts, Width},
    entry_runner::EntryRunner,
    explore_entry, portfolio,
};
use crate::{
    budget, guard,
    outcome::Explored,
    project::{EntryPoint, Project},
};
use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::resume_unwind,
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// The message for an entry whose exploration failed.
pub(super) const FAILED: &str = "the analysis of an entry failed, which is a bug of tsvd-check: please report it";

/// Maximum number of functions of which all workers together keep code, of about 20 KB each.
const MAX_KEPT_FUNCTIONS: usize = 160_000;

/// Entries share no more code than this many functions. It depends on the machine; what runs show does not depend on it.
pub(super) static MAX_SHARED_FUNCTIONS: LazyLock<usize> = LazyLock::new(|| {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    (MAX_KEPT_FUNCTIONS / workers).clamp(10_000, 40_000)
});

/// The message for an entry that was not started.
pub(super) const NO_MEMORY: &str = "not run: the memory limit was reached";

/// Progress of an exploration of many entries.
pub enum ExploreEvent {
    /// An entry has finished this many schedules.
    Schedule {
        /// Its index.
        entry: usize,
        /// The number of schedules.
        schedules: u32,
    },
    /// An entry is finished. These events come in the order of the entries, unless [`Options::is_unordered`] is set.
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
        prefix_steps: Some(options.prefix_steps.unwrap_or(portfolio::share_of_prefix(points))),
        steps: Some(options.steps.unwrap_or(portfolio::share(points.len(), options.effort))),
        max_steps: options.max_steps.or(portfolio::share_of_run(points.len())),
        ..options.clone()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if points.len() <= 1 || cores == 1 {
        let mut worker = Worker::new(project, options);
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
                        let mut worker = Worker::new(project, options);
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
                ExploreEvent::Explored { .. } if options.is_unordered => is_going_on = on_event(event).is_continue(),
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

/// Explores entries one after the other. Entries in the same context share generated code: neither what was generated
/// before nor inlining changes a run.
struct Worker<'db> {
    project: &'db Project,
    options: &'db Options,
    contexts: Contexts<'db>,
    shared: Option<EntryRunner<'db>>,
}

impl<'db> Worker<'db> {
    fn new(project: &'db Project, options: &'db Options) -> Self {
        Worker { project, options, contexts: Contexts::new(project, Width::Entry), shared: None }
    }

    fn explore(&mut self, point: &EntryPoint, progress: &mut dyn FnMut(u32) -> ControlFlow<()>) -> Explored {
        if budget::is_out_of_memory() {
            return Explored { cut_short: vec![(NO_MEMORY.to_owned(), 1)], ..Explored::default() };
        }
        if budget::has_exploration_ended() {
            return Explored { is_out_of_time: true, ..Explored::default() };
        }
        let explored = guard::caught(self.project.db(), || {
            let mut entry = self.entry(point);
            let explored = explore_entry(&mut entry, point, self.options, progress);
            self.shared = Some(entry);
            explored
        });
        explored.unwrap_or_else(|| {
            self.shared = None;
            Explored { cut_short: vec![(FAILED.to_owned(), 1)], ..Explored::default() }
        })
    }

    /// The entry, with code of earlier entries if that may be shared.
    fn entry(&mut self, point: &EntryPoint) -> EntryRunner<'db> {
        let context = self.contexts.of(point);
        let is_fit = |entry: &EntryRunner<'db>| {
            entry.context() == context.code && entry.functions() < *MAX_SHARED_FUNCTIONS && !self.options.records_reads
        };
        match self.shared.take().filter(is_fit) {
            Some(mut entry) => {
                entry.start_at(point, &context.programs);
                entry
            }
            None => EntryRunner::in_context(self.project, point, &context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{self, Input, LoadOptions};

    /// Each test asks for other functions, vtables and constants, in another order.
    const TESTS: &str = r#"
        use std::{collections::HashMap, sync::{Arc, Mutex}, thread};
        static mut COUNT: u32 = 0;
        fn one() -> u32 { 1 }
        fn two() -> u32 { 2 }
        fn race() { unsafe { COUNT += 1 } }

        #[test]
        fn addresses() {
            let (later, earlier) = (two as fn() -> u32 as usize, one as fn() -> u32 as usize);
            let other = thread::spawn(move || if later < earlier { race() });
            race();
            other.join().unwrap();
        }

        #[test]
        fn reversed() {
            let (earlier, later) = (one as fn() -> u32 as usize, two as fn() -> u32 as usize);
            let shown: Arc<dyn Fn() -> String + Send + Sync> = Arc::new(move || format!("{earlier} {later}"));
            let other = thread::spawn({ let shown = shown.clone(); move || if shown().len() > 3 { race() } });
            race();
            other.join().unwrap();
        }

        #[test]
        fn locks() {
            let pair = Arc::new((Mutex::new(HashMap::from([(1, "a")])), Mutex::new(vec![1])));
            let other = thread::spawn({
                let pair = pair.clone();
                move || { let map = pair.0.lock().unwrap(); pair.1.lock().unwrap().push(map.len()); }
            });
            let list = pair.1.lock().unwrap();
            pair.0.lock().unwrap().insert(list.len(), "b");
            drop(list);
            let _ = other.join();
        }

        #[test]
        fn panics() {
            let other = thread::spawn(|| { race(); let empty: [u8; 0] = []; empty[COUNT_OF] });
            race();
            assert!(other.join().is_err());
        }
        const COUNT_OF: usize = 3;
    "#;

    /// Invariant 4.
    #[test]
    fn shared_code_changes_no_result() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tests.rs");
        std::fs::write(&file, TESTS).unwrap();
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::from_path(file.to_str().unwrap()), &options).unwrap();
        project.with_db(|project| {
            let points: Vec<EntryPoint> = project.tests().into_iter().map(|test| test.entry).collect();
            assert_eq!(points.len(), 4);
            let options = Options { runs: Some(40), ..Options::default() };
            let explore = |worker: &mut Worker<'_>, point| {
                let explored = worker.explore(point, &mut |_| ControlFlow::Continue(()));
                assert!(!explored.diagnostics.is_empty(), "{}", point.name);
                format!("{explored:?}")
            };
            let alone: Vec<String> =
                points.iter().map(|point| explore(&mut Worker::new(project, &options), point)).collect();
            let mut together = Worker::new(project, &options);
            for (point, alone) in points.iter().zip(&alone).rev().chain(points.iter().zip(&alone)) {
                assert_eq!(explore(&mut together, point), *alone, "{}", point.name);
            }
        });
    }
}
