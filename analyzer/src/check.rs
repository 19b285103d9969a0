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
    incremental::{Previous, SharedEntryResult, Work as WorkCounts},
    project::Project,
    report::{Message, MessageKind, PackageReport, Part, Report, SourceFile},
};
use std::collections::BTreeMap;

/// Options of a check.
#[derive(Default)]
pub struct Options<'a> {
    /// The path of the project, as the user named it.
    pub path: String,
    /// The entries to check.
    pub selection: Selection,
    /// How each entry is explored.
    pub explore: explore::Options,
    /// The results of an earlier analysis, for the language server.
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

    /// Exploration starts; the number is the most that will be explored.
    fn started(&mut self, _entries: usize) {}

    /// An entry has run a number of schedules.
    fn schedule(&mut self, _entry: usize, _name: &str, _schedules: u32) {}

    /// An entry has had all its schedules, or needs none. These are its findings, also those that another entry has shown or
    /// that comments allow.
    fn explored(&mut self, _entry: usize, _findings: &[Diagnostic]) {}

    /// Findings that no other entry of the package has shown; the report has only these.
    fn new_findings(&mut self, _findings: &Report) {}

    /// All entries of a package have been explored.
    fn package(&mut self, _package: &PackageReport) {}

    /// All findings that are known now, if there is an earlier analysis.
    fn all_findings(&mut self, _findings: &Report) {}

    /// The result of an entry, which a later analysis can reuse; the text is the entry's path.
    fn entry_result(&mut self, _entry: String, _result: SharedEntryResult) {}

    /// Counts the work of this check.
    fn work(&mut self, _work: WorkCounts) {}
}

/// Said of a check that was ended.
const CANCELLED: &str = "the check was cancelled";

/// A check that nobody watches.
impl Progress for () {}

/// Checks a project.
///
/// A report with an [error](Part::error) says why nothing was checked.
pub fn check(project: &Project, options: &Options<'_>, progress: &mut dyn Progress) -> Report {
    let mut part = Part { path: options.path.clone(), ..Part::default() };
    let outcome = guard::unwinding(|| project.with_db(|project| work::run(project, options, progress, &mut part)));
    // What was found before stays.
    if let Err(payload) = outcome {
        part.is_repeatable = false;
        part.messages.push(match guard::is_cancelled(&payload) {
            true => Message::error(MessageKind::Cancelled, CANCELLED),
            false => Message::error(MessageKind::InternalFailure, guard::internal_failure()),
        });
    }
    Report::of(part)
}

/// A report of findings that were found without a check, such as by a replay.
pub fn report_of(project: &Project, path: &str, name: &str, findings: Vec<Diagnostic>) -> Report {
    let sources = sources(project, &findings);
    let package = PackageReport { name: name.to_owned(), findings, ..PackageReport::default() };
    Report::of(Part { path: path.to_owned(), packages: vec![package], sources, ..Part::default() })
}

/// The files in which findings are drawn.
fn sources<'a>(project: &Project, findings: impl IntoIterator<Item = &'a Diagnostic>) -> BTreeMap<String, SourceFile> {
    let mut sources = BTreeMap::new();
    for place in findings.into_iter().flat_map(Diagnostic::drawn_places) {
        if !sources.contains_key(&place.path)
            && let Some(text) = project.text_of(&place.path)
        {
            sources.insert(place.path.clone(), SourceFile { path: project.path_of(&place.path), text });
        }
    }
    sources
}
