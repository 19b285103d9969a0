//! The result of a check as data: everything that an output format, the language server or a cached report needs.
//!
//! A report is serialised as it is; `docs/report.schema.json` describes it field by field.

pub mod message;
pub mod reach;
pub mod workspace;

pub use message::{Message, MessageKind, MessageLevel, Stage};
pub use reach::Reach;
pub use workspace::{PackageInfo, TargetInfo, WorkspaceInfo};

use crate::{
    diagnostic::{Confidence, Diagnostic, Level},
    harness::Skipped,
    outcome::Uninterpreted,
    sites::SiteCount,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The version of the serialised form. It changes when a field is removed or changes its meaning, not when one is
/// added.
pub const VERSION: u32 = 1;

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`] of the program that made the report.
    pub version: u32,
    /// A part for each path that was checked, in order.
    pub parts: Vec<Part>,
}

impl Default for Report {
    fn default() -> Self {
        Report { version: VERSION, parts: Vec::new() }
    }
}

/// The result for one path.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Part {
    /// The path, as given by the user.
    pub path: String,
    /// Messages about the check itself, in order.
    pub messages: Vec<Message>,
    /// The packages that were checked, in order; a single file counts as one.
    pub packages: Vec<PackageReport>,
    /// The files that findings point to, by the paths in their locations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, SourceFile>,
    /// The Cargo workspace; `None` for single files and other build systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<WorkspaceInfo>,
    /// Sets of features that are off although code asks for them. A further part has what the first one that can be
    /// built adds. No part of what formats of reports show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feature_sets: Vec<Vec<String>>,
    /// The entries, if there are such features, so that a further part only has others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
    /// Whether the same check would have the same result. It may differ if memory or time ran out, something failed, or
    /// a missing dependency may have been installed since.
    pub is_repeatable: bool,
}

/// The result for the entries of a package.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PackageReport {
    /// The package's name; for a single file or a single entry, its name.
    pub name: String,
    /// The findings, in order of discovery, including possible ones.
    pub findings: Vec<Diagnostic>,
    /// What was explored: it shows how much a result without findings is worth.
    pub summary: Summary,
    /// The same for each synchronisation site; no part of what formats of reports show.
    #[serde(default, skip_serializing_if = "Reach::is_empty")]
    pub reach: Reach,
}

/// What was explored, and what was not.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The entries that were run.
    pub entries: EntryCounts,
    /// Schedules that were run.
    pub schedules: u32,
    /// The synchronisation sites of the package, by kind; kinds without sites are left out.
    pub sites: Vec<SiteCount>,
    /// Findings that count.
    pub bugs: usize,
    /// Findings that are only possible.
    pub possible: usize,
    /// Findings that comments suppress.
    pub allowed: usize,
    /// Findings that the workspace's configuration leaves out.
    pub left_out: usize,
    /// Findings of the baseline.
    pub in_baseline: usize,
    /// Findings in code that has not changed since a commit.
    pub unchanged: usize,
    /// Findings that are entirely in dependencies.
    pub in_dependencies: usize,
    /// Findings that are not reported because their schedule did not show them again: a bug of the checker.
    pub unconfirmed: usize,
    /// Entries that got fewer schedules because of the number of entries, or because they reached nothing new.
    pub curtailed: usize,
    /// Entries of which further schedules would probably reach more.
    #[serde(default)]
    pub promising: usize,
    /// Entries that got few schedules because another one would be the same, or because they start no thread.
    #[serde(default)]
    pub alike: usize,
    /// Entries that got one short schedule: they start no thread, and nothing that they call synchronises.
    #[serde(default)]
    pub idle: usize,
    /// Entries that got fewer schedules, or none, because the time for exploration was over.
    #[serde(default)]
    pub out_of_time: usize,
    /// How runs ended before the program's own end.
    pub bounds: Vec<BoundReached>,
    /// Uninterpreted values that runs met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Functions that harnesses do not call.
    pub not_called: Vec<Skipped>,
    /// Pairs of calls that harnesses make from two threads.
    #[serde(default)]
    pub pairs: PairCounts,
    /// The features that were switched on for a further check, which explored only what they add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Whether a part of the source was left out before the first run, for example because of a syntax error.
    pub is_incomplete: bool,
}

/// Pairs of calls that harnesses make from two threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairCounts {
    /// The number of possible pairs.
    pub all: u64,
    /// The number of those that were under way at the same time.
    pub overlapped: u64,
}

/// The number of entries, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EntryCounts {
    /// The `main`s of programs and examples.
    pub programs: usize,
    /// Tests.
    pub tests: usize,
    /// Types and functions of a library's public API.
    pub api: usize,
    /// Entries in the middle: functions that start threads.
    pub middle: usize,
}

impl EntryCounts {
    /// The total.
    pub fn all(&self) -> usize {
        self.programs + self.tests + self.api + self.middle
    }
}

/// Runs that ended before the program's own end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoundReached {
    /// The reason.
    pub reason: String,
    /// The number of schedules.
    pub schedules: u32,
}

/// A file that a finding points to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path on disk; `None` for an embedded file.
    pub path: Option<PathBuf>,
    /// Its text as it was checked: without byte order mark, and with `\n` as line end.
    pub text: String,
    /// For each byte of the file on disk that the text lacks, the offset in the text from which it counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<u32>,
}

impl SourceFile {
    /// The offset in the file on disk of an offset in the text, both in bytes.
    pub fn on_disk(&self, offset: usize) -> usize {
        offset + self.removed.partition_point(|from| *from as usize <= offset)
    }

    /// Notes what the text lacks of the file on disk.
    pub(crate) fn compare(&mut self, disk: &str) {
        let (mark, rest) = match disk.strip_prefix('\u{feff}') {
            Some(rest) => ('\u{feff}'.len_utf8(), rest),
            None => (0, disk),
        };
        let returns = rest.match_indices("\r\n").zip(0u32..).map(|((at, _), before)| {
            // The line end itself stays where it is.
            u32::try_from(at).unwrap_or(u32::MAX).saturating_sub(before).saturating_add(1)
        });
        let removed: Vec<u32> = std::iter::repeat_n(0, mark).chain(returns).collect();
        // It may have changed since it was checked.
        if disk.len() - removed.len() == self.text.len() {
            self.removed = removed;
        }
    }
}

impl Report {
    /// A report of one part.
    pub fn of(part: Part) -> Report {
        Report { parts: vec![part], ..Report::default() }
    }

    /// All findings, in order, including possible ones.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.parts.iter().flat_map(Part::findings)
    }

    /// How many synchronisation sites runs reached, and how many there are.
    pub fn reach(&self) -> (usize, usize) {
        let sites = self.parts.iter().flat_map(|it| &it.packages).flat_map(|it| &it.summary.sites);
        sites.fold((0, 0), |(reached, existing), it| (reached + it.reached, existing + it.existing))
    }

    /// Whether there is a finding that makes a check fail: an error that is not only possible.
    pub fn has_errors(&self) -> bool {
        self.findings().any(|it| it.counts() && it.level == Level::Error)
    }
}

impl Part {
    /// The part for a path at which nothing could be checked.
    pub fn failed(path: &str, error: Message) -> Part {
        Part { path: path.to_owned(), messages: vec![error], ..Part::default() }
    }

    /// Its findings, in order, including possible ones.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.packages.iter().flat_map(|package| &package.findings)
    }

    /// Why nothing was checked, if so.
    pub fn error(&self) -> Option<&Message> {
        self.messages.iter().find(|message| message.level == MessageLevel::Error)
    }

    /// Its messages of one stage.
    pub fn messages_of(&self, stage: Stage) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(move |message| message.stage == stage)
    }
}

impl Diagnostic {
    /// Whether it counts: a possible finding is shown on demand and never changes the exit status.
    pub fn counts(&self) -> bool {
        self.confidence != Confidence::Possible
    }
}

#[cfg(test)]
mod tests {
    use super::SourceFile;

    #[test]
    fn offsets_on_disk_count_what_the_text_lacks() {
        let disk = "\u{feff}a\r\nb\nc\r\nd";
        let mut file = SourceFile { text: "a\nb\nc\nd".to_owned(), ..SourceFile::default() };
        file.compare(disk);
        for (at, letter) in file.text.char_indices().filter(|(_, it)| it.is_alphabetic()) {
            assert_eq!(&disk[file.on_disk(at)..][..1], letter.to_string(), "{file:?}");
        }
        assert_eq!(file.on_disk(1), disk.find('\r').unwrap());
        assert_eq!(file.on_disk(file.text.len()), disk.len());
        // Another text than the one that was checked.
        let mut file = SourceFile { text: "a".to_owned(), ..SourceFile::default() };
        file.compare(disk);
        assert_eq!(file.on_disk(1), 1);
    }
}
