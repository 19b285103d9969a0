//! A check: which entries are explored in which order, and the [`Report`] of it (decision 27).
//!
//! The command line, the language server and a replay all take the same path. With what an earlier analysis left
//! ([`Options::previous`]) entries that still hold are not explored again, every other one gets a few schedules before any
//! gets all of them, and there are neither messages nor counts of sites, for which every body would have to be lowered.

mod entry;
pub mod messages;
pub mod selection;
mod total;
mod work;

pub use selection::Selection;
pub use total::Total;

pub(crate) use entry::Pending;

use crate::{
    diagnostic::Diagnostic,
    explore, guard,
    incremental::{Phase, Previous, SharedEntryResult, Work as WorkCounts},
    project::Project,
    report::{Message, MessageKind, PackageReport, Part, Report, SourceFile},
};
use std::collections::BTreeMap;

/// What to check, and how.
#[derive(Default)]
pub struct Options<'a> {
    /// The path of the project, as the user named it.
    pub path: String,
    /// Which entries.
    pub selection: Selection,
    /// How each is explored.
    pub explore: explore::Options,
    /// What an earlier analysis left: schedules of findings, and what was read.
    pub previous: Option<Previous<'a>>,
}

/// Hears of a check while it goes on.
pub trait Progress: Send {
    /// Whether the rest of the check is of no use any more. Its report is not complete then.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// A message is known.
    fn message(&mut self, _message: &Message) {}

    /// So many entries will be explored, or fewer.
    fn started(&mut self, _entries: usize) {}

    /// An entry, by number and name, has had so many schedules.
    fn schedule(&mut self, _entry: usize, _name: &str, _schedules: u32) {}

    /// An entry has had all its schedules.
    fn explored(&mut self, _entry: usize) {}

    /// Findings are known. The report has no others.
    fn found(&mut self, _findings: &Report) {}

    /// All entries of a package have been explored.
    fn package(&mut self, _package: &PackageReport) {}

    /// All that is known now, when there is an earlier analysis; the report has findings only.
    fn findings(&mut self, _phase: Phase, _findings: &Report) {}

    /// What a later analysis can use of an entry, by its path.
    fn entry_result(&mut self, _entry: String, _result: SharedEntryResult) {}

    /// How much had to be done.
    fn work(&mut self, _work: WorkCounts) {}
}

/// A check that nobody watches.
impl Progress for () {}

/// Checks a project.
///
/// A report with an [error](Part::error) says why nothing was checked.
pub fn check(project: &Project, options: &Options<'_>, progress: &mut dyn Progress) -> Report {
    let part = guard::unwinding(|| project.with_db(|project| work::run(project, options, progress)));
    let part = part.unwrap_or_else(|payload| {
        let (kind, text) = match guard::is_cancelled(&payload) {
            true => (MessageKind::Cancelled, "an edit made the check pointless".to_owned()),
            false => (MessageKind::InternalFailure, guard::internal_failure()),
        };
        Part::failed(&options.path, Message::error(kind, text))
    });
    Report::of(part)
}

/// A report of findings that were found without a check, such as by a replay.
pub fn report_of(project: &Project, path: &str, name: &str, findings: Vec<Diagnostic>) -> Report {
    let sources = sources(project, &findings);
    let package = PackageReport { name: name.to_owned(), findings, ..PackageReport::default() };
    Report::of(Part { path: path.to_owned(), packages: vec![package], sources, ..Part::default() })
}

/// The files that findings point to.
fn sources<'a>(project: &Project, findings: impl IntoIterator<Item = &'a Diagnostic>) -> BTreeMap<String, SourceFile> {
    let mut sources = BTreeMap::new();
    for place in findings.into_iter().flat_map(Diagnostic::places) {
        if !sources.contains_key(&place.path)
            && let Some(text) = project.text_of(&place.path)
        {
            sources.insert(place.path.clone(), SourceFile { path: project.path_of(&place.path), text });
        }
    }
    sources
}
