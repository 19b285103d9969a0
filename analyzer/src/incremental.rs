//! A project that is being edited: the results for its entries, and which of them survive an edit (decision 19).
//!
//! One owner applies edits and holds the results. Analyses run on snapshots; an edit cancels them.

mod analysis;
mod on_demand;
mod order;
mod reads;
mod structure;

pub(crate) use analysis::{Dictionaries, Phase, QUICK};
pub use analysis::{End, Previous, Work};
pub use on_demand::{DEEP, Explorable, NotExplored, OnDemandResult};
pub(crate) use order::EntryGroup;

use self::{
    reads::{Reads, Structures},
    structure::Structure,
};
use crate::{
    outcome::Explored,
    project::{Broken, EntryKind, Project},
};
use ra_ap_vfs::FileId;
use rustc_hash::FxHasher;
use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    path::Path,
    sync::Arc,
};

/// The result of an entry.
#[derive(Clone)]
pub struct EntryResult {
    /// The kind of the entry.
    kind: EntryKind,
    /// The outcome of its runs, without the bodies.
    explored: Explored,
    /// Its read set; `None` once the result no longer holds.
    reads: Option<Reads>,
    /// Hashes of the files with locations of its diagnostics, as they were then.
    texts: BTreeMap<FileId, u64>,
    /// What it cost to explore it, in steps.
    cost: u64,
    /// Whether it got the schedules of an exploration on demand.
    is_deep: bool,
}

impl EntryResult {
    /// The outcome of its runs, without the bodies.
    pub(crate) fn explored(&self) -> &Explored {
        &self.explored
    }
}

/// A shared result.
pub type SharedEntryResult = Arc<EntryResult>;

/// Results by the entries' paths.
type EntryResults = BTreeMap<String, SharedEntryResult>;

/// A project that is being edited.
pub struct IncrementalProject {
    project: Project,
    structures: Structures,
    texts: BTreeMap<FileId, u64>,
    known: EntryResults,
}

/// A project between two edits, for another thread.
pub struct Snapshot {
    project: Project,
    structures: Structures,
    texts: BTreeMap<FileId, u64>,
    known: EntryResults,
}

impl IncrementalProject {
    /// A project without results.
    pub fn new(project: Project) -> IncrementalProject {
        let mut incremental = IncrementalProject {
            project,
            structures: Structures::new(),
            texts: BTreeMap::new(),
            known: EntryResults::new(),
        };
        for file in incremental.project.text_files() {
            let text = incremental.project.file_text(file);
            incremental.note(file, &text);
        }
        incremental.note_made();
        // An edit changes what is left out.
        for broken in incremental.project.broken().iter().rev() {
            incremental.texts.insert(broken.file(), hash(broken.text()));
        }
        incremental
    }

    /// Takes over the results of the project before it was reloaded. They are no longer certain; their schedules are
    /// tried first.
    #[must_use]
    pub fn after(mut self, old: IncrementalProject) -> IncrementalProject {
        self.known = old.known;
        for known in self.known.values_mut() {
            let known = Arc::make_mut(known);
            known.reads = None;
            // They are sites of the other database.
            known.explored.reached.clear();
            known.explored.behind.clear();
        }
        self
    }

    /// Changes the text of a file. Waits for analyses on snapshots, which end soon. Returns false if the project does
    /// not contain the file and must be reloaded.
    pub fn edit(&mut self, path: &Path, text: &str) -> bool {
        let Some(file) = self.project.file_at(path).filter(|file| self.texts.contains_key(file)) else { return false };
        let text = self.project.as_read(file, text);
        if self.texts.get(&file) != Some(&hash(&text)) {
            for file in self.project.restore(file) {
                let text = self.project.file_text(file);
                self.note(file, &text);
            }
            self.project.set_text(file, &text);
            self.note(file, &text);
            self.note_made();
        }
        true
    }

    /// Takes a crate on which rust-analyzer panics as empty, until the next edit.
    pub fn leave_out(&mut self, broken: Broken) {
        // The blanked text counts as it is: only an edit changes it.
        self.structures.insert(broken.file(), Arc::default());
        self.project.leave_out(broken);
    }

    /// Why this text of a file is taken as empty: it is nested too deep.
    pub fn refused(&self, path: &Path, text: &str) -> Option<String> {
        self.project.refused(self.project.file_at(path)?, text)
    }

    /// Notes the examples of documentation and the stubs, which change with the files that they come from.
    fn note_made(&mut self) {
        for file in self.project.made_files() {
            let text = self.project.file_text(file);
            if self.texts.get(&file) != Some(&hash(&text)) {
                self.note(file, &text);
            }
        }
    }

    fn note(&mut self, file: FileId, text: &str) {
        let structure = if self.project.is_source(file) { Structure::of(text) } else { Structure::of_text(text) };
        self.texts.insert(file, hash(text));
        self.structures.insert(file, Arc::new(structure));
    }

    /// Cancels the analyses on snapshots.
    pub fn stop(&mut self) {
        self.project.stop();
    }

    /// A snapshot with the current results.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            project: self.project.clone(),
            structures: self.structures.clone(),
            texts: self.texts.clone(),
            known: self.known.clone(),
        }
    }

    /// Sets the result of an entry, unless one with more schedules is known for the same texts.
    pub fn set_result(&mut self, entry: String, known: SharedEntryResult) {
        if !self.knows_better(&entry, &known) {
            self.known.insert(entry, known);
        }
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }
}

impl Snapshot {
    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
