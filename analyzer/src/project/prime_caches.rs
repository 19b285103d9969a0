//! Computes what every analysis needs of std and of dependencies, on two threads.

use hir_def::item_tree::file_item_tree;
use ra_ap_base_db::EditionedFileId;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_span::Edition;

use super::{Broken, Project};
use crate::guard;
use ra_ap_base_db::Crate as BaseCrate;
use rustc_hash::FxHashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

impl Project {
    /// Resolves the names of all crates and collects their impls. Crates and items on which that panics are left out.
    ///
    /// This is most of a cold start. While one thread resolves `core`, the other parses the files that come next. Then
    /// each takes crates whose dependencies are resolved. Results do not depend on it.
    pub fn prime_caches(&mut self) {
        while let Some(broken) = self.resolve() {
            self.leave_out_least(broken);
        }
        self.add_doc_tests();
        self.add_stubs();
    }

    /// The first crate on which resolution panics.
    fn resolve(&self) -> Option<Broken> {
        let queue = Queue::of(self);
        std::thread::scope(|scope| {
            let (helper, queue) = (self.clone(), &queue);
            // A panic here recurs where the result is needed, and is handled there.
            scope.spawn(move || {
                guard::unwinding(|| helper.with_db(Project::prepare_files)).ok();
                queue.resolve(&helper);
            });
            queue.resolve(self);
            self.with_db(|project| project.first_broken())
        })
    }

    fn prepare_files(&self) {
        let db = self.db();
        let crates = self.crates();
        let Some(core) = crates.first() else { return };
        // Reversed: the files that the other thread needs last.
        for file in self.shared.files.std_files().into_iter().rev() {
            if self.shared.files.shown(file).starts_with("library/core/") {
                let file = EditionedFileId::new(db, file, Edition::Edition2024);
                file_item_tree(db, file.into(), (*core).into());
            }
        }
    }
}

/// Crates to be resolved: std's and dependencies. Those of the workspace are not among them: one that fails would be
/// resolved twice.
struct Queue {
    crates: Vec<hir::Crate>,
    /// By crate, the indices of its dependencies.
    dependencies: Vec<Vec<usize>>,
    states: Mutex<Vec<State>>,
    changed: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Begun,
    Done,
}

/// A crate that a thread resolves.
struct Turn<'a> {
    queue: &'a Queue,
    index: usize,
}

impl Queue {
    fn of(project: &Project) -> Queue {
        let db = project.db();
        let crates: Vec<hir::Crate> = project.crates().into_iter().filter(|it| !project.is_local(*it)).collect();
        let indices: FxHashMap<BaseCrate, usize> =
            crates.iter().enumerate().map(|(index, krate)| ((*krate).into(), index)).collect();
        let dependencies = |krate: &hir::Crate| {
            let all = BaseCrate::from(*krate).data(db).dependencies.iter();
            all.filter_map(|it| indices.get(&it.crate_id).copied()).collect()
        };
        let dependencies: Vec<Vec<usize>> = crates.iter().map(dependencies).collect();
        let states = Mutex::new(vec![State::Waiting; crates.len()]);
        Queue { crates, dependencies, states, changed: Condvar::new() }
    }

    /// Resolves crates until no one is left.
    fn resolve(&self, project: &Project) {
        project.with_db(|project| {
            while let Some(turn) = self.next() {
                // What fails here fails again where the result is needed.
                guard::unwinding(|| project.resolution(self.crates[turn.index]).is_ok()).ok();
            }
        });
    }

    /// The first crate whose dependencies are resolved; waits for one.
    fn next(&self) -> Option<Turn<'_>> {
        let mut states = self.states();
        loop {
            let is_ready = |index: &usize| {
                let mut dependencies = self.dependencies[*index].iter();
                states[*index] == State::Waiting && dependencies.all(|it| states[*it] == State::Done)
            };
            if let Some(index) = (0..states.len()).find(is_ready) {
                states[index] = State::Begun;
                return Some(Turn { queue: self, index });
            }
            // Without a crate that is begun, none gets ready.
            if !states.contains(&State::Begun) {
                return None;
            }
            states = self.changed.wait(states).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.queue.states()[self.index] = State::Done;
        self.queue.changed.notify_all();
    }
}
