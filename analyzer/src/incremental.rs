//! A project while somebody edits it: what is known of its entries, and what an edit leaves of that (decision 19).
//!
//! One owner applies edits and holds what is known; analyses run on snapshots, and an edit ends them by cancellation.

mod analysis;
mod reads;
mod structure;

pub(crate) use analysis::{Dictionaries, Phase, QUICK};
pub use analysis::{End, Previous, Work};

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

/// What is known of an entry.
#[derive(Clone)]
pub struct EntryResult {
    /// What kind of entry it is.
    kind: EntryKind,
    /// What its runs gave, without the bodies.
    explored: Explored,
    /// What it rests on; nothing once it does not hold any more.
    reads: Option<Reads>,
    /// The texts of the files that the diagnostics speak of, as they were then.
    texts: BTreeMap<FileId, u64>,
}

impl EntryResult {
    /// What its runs gave, without the bodies.
    pub(crate) fn explored(&self) -> &Explored {
        &self.explored
    }
}

/// The same, to be handed around.
pub type SharedEntryResult = Arc<EntryResult>;

/// The entries that something is known of, by their paths.
type EntryResults = BTreeMap<String, SharedEntryResult>;

/// A project that is edited.
pub struct IncrementalProject {
    project: Project,
    structures: Structures,
    texts: BTreeMap<FileId, u64>,
    known: EntryResults,
}

/// A project between two edits; for another thread.
pub struct Snapshot {
    project: Project,
    structures: Structures,
    texts: BTreeMap<FileId, u64>,
    known: EntryResults,
}

impl IncrementalProject {
    /// A project of whose entries nothing is known yet.
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
        // An edit is what makes a difference to what is left out.
        for broken in incremental.project.broken().iter().rev() {
            incremental.texts.insert(broken.file(), hash(broken.text()));
        }
        incremental
    }

    /// Takes over what was known before the project was loaded anew. It is not sure any more; its schedules are tried first.
    #[must_use]
    pub fn after(mut self, old: IncrementalProject) -> IncrementalProject {
        self.known = old.known;
        for known in self.known.values_mut() {
            let known = Arc::make_mut(known);
            known.reads = None;
            // They are places of the other database.
            known.explored.reached.clear();
        }
        self
    }

    /// A file has another text. It waits for the analyses on snapshots, which end soon. False if the project does not have the
    /// file: then it is to be loaded anew.
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
        }
        true
    }

    /// Takes a crate on which rust-analyzer panics as empty, until the next edit.
    pub fn leave_out(&mut self, broken: Broken) {
        // Its text counts as it is: an edit is what makes a difference.
        self.structures.insert(broken.file(), Arc::default());
        self.project.leave_out(broken);
    }

    /// Why a text of the file at a path is taken as empty: it is nested too deep.
    pub fn refused(&self, path: &Path, text: &str) -> Option<String> {
        self.project.refused(self.project.file_at(path)?, text)
    }

    fn note(&mut self, file: FileId, text: &str) {
        let structure = if self.project.is_source(file) { Structure::of(text) } else { Structure::of_text(text) };
        self.texts.insert(file, hash(text));
        self.structures.insert(file, Arc::new(structure));
    }

    /// Ends the analyses on snapshots.
    pub fn stop(&mut self) {
        self.project.stop();
    }

    /// What is known now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            project: self.project.clone(),
            structures: self.structures.clone(),
            texts: self.texts.clone(),
            known: self.known.clone(),
        }
    }

    /// An analysis has found out more.
    pub fn set_result(&mut self, entry: String, known: SharedEntryResult) {
        self.known.insert(entry, known);
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
