//! Explores entries in [rounds](Rounds), on all cores. What an entry shows is the same as if it were alone; how many runs
//! it gets depends on the others (invariant 4). Results come in the order of rounds, and of the entries in each.

use super::{
    ExploreEvent, Options,
    all::{FAILED, MAX_SHARED_FUNCTIONS, NO_MEMORY},
    contexts::{Contexts, Width},
    entry_runner::EntryRunner,
    exploration::Exploration,
    rounds::{Ending, EntryProgress, Plan, Rounds},
    shards::{MAX_SHARDS, ShardWork, Shards, WorkKind},
};
use crate::{
    budget, guard,
    outcome::Explored,
    project::{EntryPoint, Project},
    sites::Sites,
};
use ra_ap_hir_def::DefWithBodyId;
use rustc_hash::FxHashSet;
use std::{
    collections::{BTreeMap, VecDeque},
    ops::ControlFlow,
    panic::resume_unwind,
    sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc},
};

/// The result of a plan, over all entries.
#[derive(Default)]
pub(crate) struct PlanResult {
    /// The bodies that runs entered.
    pub(crate) entered: FxHashSet<DefWithBodyId>,
    /// How far runs came with each site, with what the plan knew before.
    pub(crate) reached: Vec<Option<bool>>,
    /// The steps that it did not use.
    pub(crate) left: u64,
}

/// A piece of an exploration.
struct WorkUnit {
    entry: usize,
    shard: usize,
    exploration: Box<Exploration>,
    work: WorkKind,
}

/// What a worker has made of a piece.
enum WorkerEvent {
    Schedule {
        entry: usize,
        shard: usize,
        schedules: u32,
    },
    Exploration {
        entry: usize,
        shard: usize,
        exploration: Box<Exploration>,
    },
    Explored {
        entry: usize,
        shard: usize,
        explored: Box<Explored>,
        progress: EntryProgress,
    },
    /// The worker is gone.
    Gone,
}

/// Pieces that no worker has begun.
#[derive(Default)]
struct Queue {
    state: Mutex<(VecDeque<WorkUnit>, bool)>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, (VecDeque<WorkUnit>, bool)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, pieces: Vec<WorkUnit>) {
        self.lock().0.extend(pieces);
        self.changed.notify_all();
    }

    /// Ends all workers.
    fn close(&self) {
        let mut state = self.lock();
        state.0.clear();
        state.1 = true;
        drop(state);
        self.changed.notify_all();
    }

    /// The next piece; waits for one. `None` once it is closed.
    fn next(&self) -> Option<WorkUnit> {
        let mut state = self.lock();
        loop {
            if state.1 {
                return None;
            }
            if let Some(piece) = state.0.pop_front() {
                return Some(piece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A queue that is closed when this is dropped.
struct OpenQueue<'q>(&'q Queue);

impl Drop for OpenQueue<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Explores entries as planned. Calls `on_event` on the calling thread, which can end the exploration.
pub(crate) fn explore_planned(
    project: &Project,
    points: &[EntryPoint],
    options: &Options,
    plan: Plan,
    sites: &Sites,
    on_event: &mut dyn FnMut(ExploreEvent) -> ControlFlow<()>,
) -> PlanResult {
    let queue = Queue::default();
    let (sender, receiver) = mpsc::channel();
    let (cancelled, entered) = (Mutex::new(None), Mutex::new(FxHashSet::default()));
    let mut rounds = Rounds::new(plan, options.max_steps);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(points.len() * MAX_SHARDS).max(1) {
            let (sender, queue, snapshot) = (sender.clone(), &queue, project.clone());
            let (cancelled, entered) = (&cancelled, &entered);
            scope.spawn(move || {
                let work = || {
                    snapshot.with_db(|project| {
                        let contexts = Contexts::new(project, Width::Workspace);
                        let (runners, sender) = (Vec::new(), &sender);
                        let mut worker = Worker { project, options, sites, runners, contexts, sender, entered };
                        while let Some(piece) = queue.next() {
                            worker.make(&points[piece.entry], piece);
                        }
                        worker.forget(0);
                    })
                };
                if let Err(payload) = guard::unwinding(work) {
                    *cancelled.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
                }
                // The receiver is gone once it is over.
                let _ = sender.send(WorkerEvent::Gone);
            });
        }
        // Workers also end if `on_event` panics.
        let open = OpenQueue(&queue);
        coordinate(points, options, &mut rounds, &queue, &receiver, sites, on_event);
        drop(open);
        drop(receiver);
    });
    // An edit cancels the whole exploration.
    if let Some(payload) = cancelled.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(payload);
    }
    let entered = entered.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (reached, left) = rounds.into_parts();
    PlanResult { entered, reached, left }
}

/// Makes the rounds.
fn coordinate(
    points: &[EntryPoint],
    options: &Options,
    rounds: &mut Rounds,
    queue: &Queue,
    receiver: &mpsc::Receiver<WorkerEvent>,
    sites: &Sites,
    on_event: &mut dyn FnMut(ExploreEvent) -> ControlFlow<()>,
) {
    let mut entries: Vec<Shards> = points.iter().map(|point| Shards::new(Exploration::new(point, options))).collect();
    let mut counts = vec![[0; MAX_SHARDS]; points.len()];
    loop {
        let round = rounds.next();
        let is_last = round.is_empty();
        let endings: Vec<(usize, Ending)> = if is_last { rounds.endings().collect() } else { Vec::new() };
        let mut due = VecDeque::new();
        for (entry, quota) in round {
            start(entry, entries[entry].run(quota, sites), queue, &mut due);
        }
        for (entry, ending) in endings {
            start(entry, entries[entry].end(ending), queue, &mut due);
        }
        let mut early: BTreeMap<(usize, usize), WorkerEvent> = BTreeMap::new();
        while !due.is_empty() {
            let Ok(made) = receiver.recv() else { return };
            match made {
                WorkerEvent::Gone => return,
                WorkerEvent::Schedule { entry, shard, schedules } => {
                    counts[entry][shard] = schedules;
                    let schedules = counts[entry].iter().sum();
                    if on_event(ExploreEvent::Schedule { entry, schedules }).is_break() {
                        return;
                    }
                    continue;
                }
                WorkerEvent::Exploration { entry, shard, .. } | WorkerEvent::Explored { entry, shard, .. } => {
                    early.insert((entry, shard), made);
                }
            }
            while let Some(made) = due.front().and_then(|first| early.remove(first)) {
                due.pop_front();
                let entry = match made {
                    WorkerEvent::Exploration { entry, shard, exploration } => {
                        entries[entry].rest(shard, exploration);
                        entry
                    }
                    WorkerEvent::Explored { entry, shard, explored, progress } => {
                        entries[entry].finish(shard, explored, progress);
                        entry
                    }
                    WorkerEvent::Schedule { .. } | WorkerEvent::Gone => continue,
                };
                let shards = &mut entries[entry];
                if !shards.are_here() {
                    continue;
                }
                if shards.have_findings() {
                    let others = shards.end(Ending::Full(false));
                    if !others.is_empty() {
                        start(entry, others, queue, &mut due);
                        continue;
                    }
                }
                let is_promising = rounds.take(entry, shards.progress(sites));
                if let Some(mut explored) = shards.explored() {
                    explored.is_promising |= is_promising;
                    if on_event(ExploreEvent::Explored { entry, explored: Box::new(explored) }).is_break() {
                        return;
                    }
                }
            }
        }
        if is_last {
            return;
        }
    }
}

/// Gives shards of an entry to the workers.
fn start(entry: usize, work: Vec<ShardWork>, queue: &Queue, due: &mut VecDeque<(usize, usize)>) {
    due.extend(work.iter().map(|(shard, ..)| (entry, *shard)));
    let unit = |(shard, exploration, work)| WorkUnit { entry, shard, exploration, work };
    queue.add(work.into_iter().map(unit).collect());
}

/// Makes pieces one after the other. Entries in the same context share generated code: neither what was generated before
/// nor inlining changes a run.
struct Worker<'a, 'db> {
    project: &'db Project,
    options: &'a Options,
    sites: &'a Sites,
    /// The last one was used last.
    runners: Vec<EntryRunner<'db>>,
    contexts: Contexts<'db>,
    sender: &'a mpsc::Sender<WorkerEvent>,
    entered: &'a Mutex<FxHashSet<DefWithBodyId>>,
}

impl Worker<'_, '_> {
    fn make(&mut self, point: &EntryPoint, piece: WorkUnit) {
        let WorkUnit { entry, shard, mut exploration, work } = piece;
        let has_begun = exploration.runs() > 0;
        let unrun = if budget::is_out_of_memory() {
            Some(Explored { cut_short: vec![(NO_MEMORY.to_owned(), 1)], ..Explored::default() })
        } else if budget::has_exploration_ended() {
            Some(Explored { is_out_of_time: true, ..Explored::default() })
        } else {
            None
        };
        if let Some(explored) = unrun.filter(|_| !has_begun) {
            let progress = EntryProgress { is_over: true, ..EntryProgress::default() };
            return self.send_explored(entry, shard, explored, progress);
        }
        let made = guard::caught(self.project.db(), || {
            let mut runner = self.runner(point);
            match work {
                WorkKind::Run(allotment) => {
                    let sender = self.sender;
                    exploration.go_on(&mut runner, allotment, &mut |schedules| match sender
                        .send(WorkerEvent::Schedule { entry, shard, schedules })
                    {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    });
                }
                WorkKind::End(ending) => exploration.end(ending),
            }
            let made = match exploration.is_over() {
                true => {
                    let progress = exploration.progress(self.sites);
                    Ok((exploration.finish(&mut runner, point, self.options), progress))
                }
                false => Err(exploration),
            };
            self.runners.push(runner);
            made
        });
        match made {
            Some(Ok((explored, progress))) => self.send_explored(entry, shard, explored, progress),
            // The receiver is gone once it is over.
            Some(Err(exploration)) => drop(self.sender.send(WorkerEvent::Exploration { entry, shard, exploration })),
            None => {
                let explored = Explored { cut_short: vec![(FAILED.to_owned(), 1)], ..Explored::default() };
                let progress = EntryProgress { is_over: true, ..EntryProgress::default() };
                self.send_explored(entry, shard, explored, progress);
            }
        }
    }

    fn send_explored(&self, entry: usize, shard: usize, explored: Explored, progress: EntryProgress) {
        // The receiver is gone once it is over.
        let _ = self.sender.send(WorkerEvent::Explored { entry, shard, explored: Box::new(explored), progress });
    }
}

impl<'db> Worker<'_, 'db> {
    /// The entry, with code of earlier entries if that may be shared.
    fn runner(&mut self, point: &EntryPoint) -> EntryRunner<'db> {
        let context = self.contexts.of(point);
        let known = self.runners.iter().position(|runner| runner.context() == context.code);
        if let Some(index) = known {
            let mut runner = self.runners.remove(index);
            if runner.functions() < *MAX_SHARED_FUNCTIONS {
                runner.start_at(point, &context.programs);
                self.forget((*MAX_SHARED_FUNCTIONS).saturating_sub(runner.functions()));
                return runner;
            }
            self.runners.push(runner);
            self.forget(0);
        }
        self.forget(*MAX_SHARED_FUNCTIONS / 2);
        EntryRunner::in_context(self.project, point, &context)
    }

    /// Forgets the code of contexts that were not used for longest until there are so many functions.
    fn forget(&mut self, most: usize) {
        while self.runners.iter().map(EntryRunner::functions).sum::<usize>() > most {
            let runner = self.runners.remove(0);
            self.entered.lock().unwrap_or_else(PoisonError::into_inner).extend(runner.bodies());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        explore::{StaticReach, explore},
        project::{self, Input, LoadOptions},
    };

    const TESTS: &str = r#"
        use std::{sync::{Arc, Mutex}, thread};
        static mut COUNT: u32 = 0;
        fn race() { unsafe { COUNT += 1 } }

        fn both(first: fn(&(Mutex<u32>, Mutex<u32>)), second: fn(&(Mutex<u32>, Mutex<u32>))) {
            let pair = Arc::new((Mutex::new(0), Mutex::new(0)));
            let other = thread::spawn({ let pair = pair.clone(); move || first(&pair) });
            second(&pair);
            let _ = other.join();
        }
        fn ahead(pair: &(Mutex<u32>, Mutex<u32>)) { *pair.1.lock().unwrap() += *pair.0.lock().unwrap(); }
        fn back(pair: &(Mutex<u32>, Mutex<u32>)) { *pair.0.lock().unwrap() += *pair.1.lock().unwrap(); }

        #[test] fn deadlocks() { both(ahead, back) }
        #[test] fn is_silent() { both(ahead, ahead) }
        #[test] fn races() { let other = thread::spawn(race); race(); other.join().unwrap(); }
        #[test] fn is_sequential() { ahead(&(Mutex::new(1), Mutex::new(2))) }
        #[test] fn adds() { assert_eq!(1 + 1, 2) }
    "#;

    const LONG: &str = r#"
        use std::{sync::{Arc, Mutex}, thread};
        fn work(pair: &(Mutex<u32>, Mutex<u32>), is_first: bool) {
            let mut sum = 0u32;
            for number in 0..20_000u32 { sum = (sum ^ number) % 1_000; }
            let (first, second) = if is_first { (&pair.0, &pair.1) } else { (&pair.1, &pair.0) };
            let mut held = first.lock().unwrap();
            #[cfg(bug)] { *held += *second.lock().unwrap() + sum; }
            #[cfg(not(bug))] { *held += sum; drop(held); *second.lock().unwrap() += 1; }
        }
        #[test] fn works() {
            let pair = Arc::new((Mutex::new(0), Mutex::new(0)));
            let other = thread::spawn({ let pair = pair.clone(); move || work(&pair, true) });
            work(&pair, false);
            let _ = other.join();
        }
    "#;

    /// A long entry has two shards on any number of cores; each has about half of the runs.
    #[test]
    fn a_long_entry_is_split() {
        let of = |source: &str| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("tests.rs");
            std::fs::write(&file, source).unwrap();
            let options = LoadOptions { tests: true, ..LoadOptions::default() };
            let project = project::load(&Input::from_path(file.to_str().unwrap()), &options).unwrap();
            project.with_db(|project| {
                let points: Vec<EntryPoint> = project.tests().into_iter().map(|test| test.entry).collect();
                let twice = [(); 2].map(|()| explored(project, &points, u64::MAX, 1_000_000));
                assert_eq!(format!("{:?}", twice[0]), format!("{:?}", twice[1]));
                let alone = explore(project, &points[0], &Options::default());
                (twice.into_iter().next().unwrap().remove(0).1, alone)
            })
        };
        let (silent, alone) = of(LONG);
        assert_eq!((silent.diagnostics.len(), &silent.reached), (0, &alone.reached), "{silent:?}");
        assert!((100..=400).contains(&silent.runs) && silent.steps != alone.steps, "{silent:?}");
        let (found, alone) = of(&LONG.replace("#[cfg(bug)]", "").replace("#[cfg(not(bug))]", "#[cfg(bug)]"));
        assert_eq!((found.diagnostics.len(), alone.diagnostics.len()), (1, 1), "{found:?}");
        assert!(found.diagnostics[0].is_same_bug(&alone.diagnostics[0]));
    }

    /// What each entry shows, in the order of the events.
    fn explored(project: &Project, points: &[EntryPoint], steps: u64, long_round: u64) -> Vec<(String, Explored)> {
        let sites = Sites::of(project, project.local_crates_of(&points[0]));
        let static_reach =
            |_: &EntryPoint| StaticReach { sites: (0..sites.len()).collect(), starts: true, ..StaticReach::default() };
        let static_reach = points.iter().map(static_reach).collect();
        let plan = Plan { static_reach, reached: vec![None; sites.len()], steps, is_everything: true, long_round };
        let mut found = Vec::new();
        explore_planned(project, points, &Options::default(), plan, &sites, &mut |event| {
            if let ExploreEvent::Explored { entry, explored } = event {
                found.push((points[entry].path(), *explored));
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Invariant 4.
    #[test]
    fn pieces_change_nothing_of_what_an_entry_shows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tests.rs");
        std::fs::write(&file, TESTS).unwrap();
        let options = LoadOptions { tests: true, ..LoadOptions::default() };
        let project = project::load(&Input::from_path(file.to_str().unwrap()), &options).unwrap();
        project.with_db(|project| {
            let mut points: Vec<EntryPoint> = project.tests().into_iter().map(|test| test.entry).collect();
            assert_eq!(points.len(), 5);
            let text = |explored: &Explored| format!("{explored:?}");
            let alone = |path: &str| {
                let point = points.iter().find(|it| it.path() == path).unwrap();
                text(&explore(project, point, &Options::default()))
            };
            let together = explored(project, &points, u64::MAX, u64::MAX);
            for (path, explored) in &together {
                let explored = Explored { is_promising: false, ..explored.clone() };
                assert_eq!(text(&explored), alone(path), "{path}");
            }
            let runs = |name: &str| together.iter().find(|it| it.0.ends_with(name)).unwrap().1.runs;
            assert!(runs("deadlocks") == 100 && runs("is_silent") > 100 && runs("is_sequential") == 1, "{together:?}");
            // What is found comes before entries that go on, in the order of the entries.
            let order: Vec<&str> = together.iter().map(|it| it.0.rsplit("::").next().unwrap_or_default()).collect();
            assert_eq!(order.last(), Some(&"is_silent"), "{order:?}");
            // The same for fewer steps: twice the same, and nothing new in the other order.
            let some = |points: &[EntryPoint]| {
                explored(project, points, 400_000, u64::MAX)
                    .into_iter()
                    .map(|(path, it)| (path, text(&it)))
                    .collect::<BTreeMap<_, _>>()
            };
            let few = some(&points);
            assert_eq!(few, some(&points));
            points.reverse();
            let found =
                |all: &BTreeMap<String, String>| all.values().filter(|it| it.contains("diagnostics: [D")).count();
            assert_eq!(found(&few), found(&some(&points)));
        });
    }
}
