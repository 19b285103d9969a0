//! An entry of a check, and what is known of it.

use crate::{diagnostic::Diagnostic, incremental::SharedEntryResult, outcome::Explored, project::EntryPoint};

/// An entry that is being checked.
pub(crate) struct Pending {
    pub(crate) point: EntryPoint,
    /// [`EntryPoint::path`].
    pub(crate) path: String,
    /// What an earlier analysis left, as far as it is of use.
    pub(crate) known: Option<SharedEntryResult>,
    /// Findings of that one which are not known to be gone.
    pub(crate) kept: Vec<Diagnostic>,
    /// What the runs of this check gave.
    pub(crate) explored: Option<Explored>,
    /// Whether nothing more will be known.
    pub(crate) is_settled: bool,
}

impl Pending {
    /// Nothing is known yet.
    pub(crate) fn new(point: EntryPoint) -> Pending {
        Pending { path: point.path(), point, known: None, kept: Vec::new(), explored: None, is_settled: false }
    }

    /// What this check found.
    pub(crate) fn found(&self) -> &[Diagnostic] {
        self.explored.as_ref().map_or(&[], |it| &it.diagnostics)
    }

    /// What this check found, and what an earlier one did.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_new = |it: &&Diagnostic| !self.found().iter().any(|known| known.is_same_bug(it));
        self.found().iter().chain(self.kept.iter().filter(is_new))
    }

    /// What its runs gave, also those of an earlier analysis.
    pub(crate) fn outcome(&self) -> Option<&Explored> {
        self.explored.as_ref().or_else(|| self.known.as_ref().map(|known| known.explored()))
    }
}
