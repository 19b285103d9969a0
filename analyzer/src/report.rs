//! What a check came to, as data: all that any output format, the language server or a kept result needs.
//!
//! A report is serialised as it is; `docs/report.schema.json` describes it field by field.

pub mod message;

pub use message::{Message, MessageKind, MessageLevel, Stage};

use crate::{
    diagnostic::{Confidence, Diagnostic},
    harness::Skipped,
    outcome::Uninterpreted,
    sites::SiteCount,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// The version of the serialised form: it changes when a field goes or means something else, not when one comes.
pub const VERSION: u32 = 1;

/// What a check came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`] of the program that made it.
    pub version: u32,
    /// A part for each path that was checked, in order.
    pub parts: Vec<Part>,
}

impl Default for Report {
    fn default() -> Self {
        Report { version: VERSION, parts: Vec::new() }
    }
}

/// What is at one path.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Part {
    /// The path, as the user named it.
    pub path: String,
    /// What there is to say of the check itself, in order.
    pub messages: Vec<Message>,
    /// The packages that were checked, in order; a single file counts as one.
    pub packages: Vec<PackageReport>,
    /// The files that findings point to, by the paths that their places have.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, SourceFile>,
    /// Whether the same check would come to the same result. It may not if memory or time ran out, something failed, or
    /// a dependency was missing that may have come since.
    pub is_repeatable: bool,
}

/// What the entries of a package came to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PackageReport {
    /// The package; of a file, or of an only entry, its name.
    pub name: String,
    /// The findings, in the order in which they were found; also those that are only possible.
    pub findings: Vec<Diagnostic>,
    /// What was explored: the denominator of a silent result.
    pub summary: Summary,
}

/// What was explored, and what was not.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The entries that were run.
    pub entries: EntryCounts,
    /// Schedules that were run.
    pub schedules: u32,
    /// The places of the package that synchronise, by kind, as far as there are any.
    pub sites: Vec<SiteCount>,
    /// Findings that count.
    pub bugs: usize,
    /// Findings that are only possible.
    pub possible: usize,
    /// Findings that comments allow.
    pub allowed: usize,
    /// Findings that lie wholly in dependencies.
    pub in_dependencies: usize,
    /// Findings that are not reported because their own schedule did not show them again: a mistake of the checker.
    pub unconfirmed: usize,
    /// Entries that got fewer schedules for the sake of the others.
    pub curtailed: usize,
    /// How runs ended that did not come to the program's own end.
    pub bounds: Vec<BoundReached>,
    /// Uninterpreted values that runs met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Functions that harnesses do not call.
    pub not_called: Vec<Skipped>,
    /// Whether a part of the source was left out before anything ran, such as after a syntax error.
    pub is_incomplete: bool,
}

/// How many entries there were, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EntryCounts {
    /// The `main`s of programs and examples.
    pub programs: usize,
    /// Tests.
    pub tests: usize,
    /// Types and functions of a library's public API.
    pub api: usize,
    /// Functions that start threads, started in the middle of what they belong to.
    pub middle: usize,
}

impl EntryCounts {
    /// All of them.
    pub fn all(&self) -> usize {
        self.programs + self.tests + self.api + self.middle
    }
}

/// Runs that did not come to the program's own end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BoundReached {
    /// How they ended.
    pub reason: String,
    /// How many of them.
    pub schedules: u32,
}

/// A file that a finding points to.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceFile {
    /// Where it lies on the disk; nothing of an embedded one.
    pub path: Option<PathBuf>,
    /// Its text as it was checked.
    pub text: String,
}

impl Report {
    /// A report of one part.
    pub fn of(part: Part) -> Report {
        Report { parts: vec![part], ..Report::default() }
    }

    /// All findings, in order, also those that are only possible.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.parts.iter().flat_map(Part::findings)
    }

    /// Whether there is a finding that counts: not only a possible one.
    pub fn has_findings(&self) -> bool {
        self.findings().any(Diagnostic::counts)
    }
}

impl Part {
    /// A path at which nothing could be checked.
    pub fn failed(path: &str, error: Message) -> Part {
        Part { path: path.to_owned(), messages: vec![error], ..Part::default() }
    }

    /// Its findings, in order, also those that are only possible.
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
    /// Whether it counts: a finding that is only possible is shown on demand and never changes an exit status.
    pub fn counts(&self) -> bool {
        self.confidence != Confidence::Possible
    }
}
