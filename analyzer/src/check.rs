//! A check: explores entries in order, and makes the [`Report`] (decision 27).
//!
//! The command line, the language server and replay share this code. With the results of an earlier analysis
//! ([`Options::previous`]), entries whose results still hold are not explored again, and each other entry gets a few
//! schedules before any gets all of them. The only messages are then about entries that are left out, and there are no
//! counts of sites, for which all bodies would have to be lowered.

mod entry;
pub mod messages;
mod reach;
mod reachable_sites;
pub mod selection;
mod total;
mod work;

pub use reachable_sites::ReachableSites;
pub use selection::Selection;
pub use total::{FindingStatus, Total};

pub(crate) use entry::Pending;

use crate::{
    diagnostic::Diagnostic,
    explore, guard,
    incremental::{Previous, SharedEntryResult, Work as WorkCounts},
    project::{MAX_SOURCE, Project, read_text},
    report::{Message, MessageKind, PackageReport, Part, Report, SourceFile},
};
use std::collections::BTreeMap;

/// Options of a check.
#[derive(Default)]
pub struct Options<'a> {
    /// The path of the project, as given by the user.
    pub path: String,
    /// The entries to check.
    pub selection: Selection,
    /// How entries are explored.
    pub explore: explore::Options,
    /// The results of an earlier analysis (language server).
    pub previous: Option<Previous<'a>>,
    /// Another check of the project with fewer features: only what they add is explored and told.
    pub beyond: Option<Beyond<'a>>,
}

/// A check of a project with fewer features.
#[derive(Clone, Copy)]
pub struct Beyond<'a> {
    /// Its result.
    pub part: &'a Part,
    /// The features that it did not have.
    pub features: &'a [String],
}

/// Receives the progress of a check.
pub trait Progress: Send {
    /// Whether the check should stop. Its report is then incomplete.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// A new message.
    fn message(&mut self, _message: &Message) {}

    /// Exploration starts; the number is an upper bound of the entries to explore.
    fn started(&mut self, _entries: usize) {}

    /// The number of schedules that an entry has run.
    fn schedule(&mut self, _entry: usize, _name: &str, _schedules: u32) {}

    /// An entry is finished. These are its findings, including those that another entry has shown and those that
    /// comments allow.
    fn explored(&mut self, _entry: usize, _findings: &[Diagnostic]) {}

    /// Findings that no earlier entry of the package has shown. The report contains nothing else.
    fn new_findings(&mut self, _findings: &Report) {}

    /// A package is finished.
    fn package(&mut self, _package: &PackageReport) {}

    /// All findings that are currently known, if there was an earlier analysis.
    fn all_findings(&mut self, _findings: &Report) {}

    /// The result of the entry with this path; a later analysis can reuse it.
    fn entry_result(&mut self, _entry: String, _result: SharedEntryResult) {}

    /// The work done by this check.
    fn work(&mut self, _work: WorkCounts) {}
}

/// The error of a cancelled check.
const CANCELLED: &str = "the check was cancelled";

/// Ignores all progress.
impl Progress for () {}

/// Checks a project.
///
/// If the report has an [error](Part::error), nothing was checked.
pub fn check(project: &Project, options: &Options<'_>, progress: &mut dyn Progress) -> Report {
    let mut part = Part { path: options.path.clone(), ..Part::default() };
    let outcome = guard::unwinding(|| project.with_db(|project| work::run(project, options, progress, &mut part)));
    // Earlier findings stay.
    if let Err(payload) = outcome {
        part.is_repeatable = false;
        part.messages.push(match guard::is_cancelled(&payload) {
            true => Message::error(MessageKind::Cancelled, CANCELLED),
            false => Message::error(MessageKind::InternalFailure, guard::internal_failure()),
        });
    }
    Report::of(part)
}

/// A report of given findings, such as those of a replay.
pub fn report_of(project: &Project, path: &str, name: &str, findings: Vec<Diagnostic>) -> Report {
    let sources = sources_on_disk(project, &findings);
    let package = PackageReport { name: name.to_owned(), findings, ..PackageReport::default() };
    let workspace = project.workspace().cloned();
    Report::of(Part { path: path.to_owned(), packages: vec![package], sources, workspace, ..Part::default() })
}

/// The files whose source the findings show, with what their texts lack of the files on disk.
fn sources_on_disk<'a>(
    project: &Project,
    findings: impl IntoIterator<Item = &'a Diagnostic>,
) -> BTreeMap<String, SourceFile> {
    let mut sources = sources(project, findings);
    for source in sources.values_mut() {
        let disk = source.path.as_ref().and_then(|path| read_text(path, MAX_SOURCE).ok());
        disk.iter().for_each(|disk| source.compare(disk));
    }
    sources
}

/// The files whose source the findings show.
fn sources<'a>(project: &Project, findings: impl IntoIterator<Item = &'a Diagnostic>) -> BTreeMap<String, SourceFile> {
    let mut sources = BTreeMap::new();
    for location in findings.into_iter().flat_map(Diagnostic::drawn_locations) {
        if !sources.contains_key(&location.path)
            && let Some(text) = project.text_of(&location.path)
        {
            let path = project.path_of(&location.path);
            sources.insert(location.path.clone(), SourceFile { path, text, ..SourceFile::default() });
        }
    }
    sources
}
