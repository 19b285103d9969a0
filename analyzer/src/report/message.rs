//! What there is to say of a check itself: what is wrong with its input, and what it left out.

use crate::project::Place;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A message about a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// What it is about.
    pub kind: MessageKind,
    /// How much it matters.
    pub level: MessageLevel,
    /// When it is known.
    pub stage: Stage,
    /// Where in the source.
    pub place: Option<Place>,
    /// In words.
    pub text: String,
}

/// How much a message matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageLevel {
    /// Nothing could be checked.
    Error,
    /// Something is wrong that the user can change.
    Warning,
    /// Something that may be of use.
    Note,
    /// How far the check sees.
    Info,
}

/// When a message is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Before the first run.
    Start,
    /// After the last one.
    End,
}

/// What a message is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageKind {
    /// The path cannot be loaded.
    NotLoaded,
    /// What was asked for by name is not there.
    NotFound,
    /// The checker failed.
    InternalFailure,
    /// An edit made the check pointless.
    Cancelled,
    /// The source has a syntax error, or a module without a file.
    SyntaxError,
    /// A crate is taken as empty, because rust-analyzer panics on it.
    BrokenCrate,
    /// A target has no `main` that rustc takes.
    NotAProgram,
    /// There is nothing that could be run.
    NothingToRun,
    /// Not all of a library's public API is called.
    ApiLeftOut,
    /// Not all tests of a crate are run.
    TestsLeftOut,
    /// A comment that should allow a finding is wrong.
    WrongAllow,
    /// A comment allowed nothing.
    UnusedAllow,
    /// The code is checked for another platform than std's.
    OtherPlatform,
    /// A dependency is not there.
    MissingDependency,
    /// Keys of cargo's configuration that are not used.
    UnusedConfiguration,
    /// Files or folders that were not read.
    NotRead,
    /// Libraries of procedural macros that were loaded.
    MacrosLoaded,
    /// What a build would make, and is not used, not there, or old.
    NotBuilt,
    /// Cfgs that a build script may set.
    UnknownCfg,
    /// Macros that are not expanded.
    NotExpanded,
    /// Work that was stopped at a bound of the analysis.
    Stopped,
    /// Memory ran out.
    OutOfMemory,
}

impl Message {
    /// One that says how far the check sees.
    pub fn info(kind: MessageKind, stage: Stage, text: impl Into<String>) -> Message {
        Message { kind, level: MessageLevel::Info, stage, place: None, text: text.into() }
    }

    /// Why nothing could be checked.
    pub fn error(kind: MessageKind, text: impl Into<String>) -> Message {
        Message { kind, level: MessageLevel::Error, stage: Stage::Start, place: None, text: text.into() }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(self, place: Option<Place>) -> Message {
        Message { place, ..self }
    }
}

/// `path:line:col: warning: text`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(match self.level {
            MessageLevel::Error => "error: ",
            MessageLevel::Warning => "warning: ",
            MessageLevel::Note => "note: ",
            MessageLevel::Info => "",
        })?;
        f.write_str(&self.text)
    }
}
