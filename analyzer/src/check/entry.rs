//! An entry during a check, and its results so far.

use crate::{diagnostic::Diagnostic, incremental::SharedEntryResult, outcome::Explored, project::EntryPoint};

/// An entry that is being checked.
pub(crate) struct Pending {
    pub(crate) point: EntryPoint,
    /// [`EntryPoint::path`].
    pub(crate) path: String,
    /// The result of an earlier analysis.
    pub(crate) known: Option<SharedEntryResult>,
    /// Findings of that result that may still exist.
    pub(crate) kept: Vec<Diagnostic>,
    /// The outcome of the runs of this check.
    pub(crate) explored: Option<Explored>,
    /// Whether its results are final.
    pub(crate) is_settled: bool,
}

impl Pending {
    /// An entry without results.
    pub(crate) fn new(point: EntryPoint) -> Pending {
        Pending { path: point.path(), point, known: None, kept: Vec::new(), explored: None, is_settled: false }
    }

    /// The findings of this check.
    pub(crate) fn found(&self) -> &[Diagnostic] {
        self.explored.as_ref().map_or(&[], |it| &it.diagnostics)
    }

    /// The findings of this check, then those of an earlier one that may still exist.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let is_new = |it: &&Diagnostic| !self.found().iter().any(|known| known.is_same_bug(it));
        self.found().iter().chain(self.kept.iter().filter(is_new))
    }

    /// The outcome of its runs; of the earlier analysis if this check made none.
    pub(crate) fn outcome(&self) -> Option<&Explored> {
        self.explored.as_ref().or_else(|| self.known.as_ref().map(|known| known.explored()))
    }
}
