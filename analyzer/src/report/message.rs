//! Messages about a check itself: errors in its input, and what it left out.

use crate::project::Location;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A message about a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    /// What it is about.
    pub kind: MessageKind,
    /// Its severity.
    pub level: MessageLevel,
    /// When it is known.
    pub stage: Stage,
    /// Its location in the source.
    pub location: Option<Location>,
    /// The text.
    pub text: String,
}

/// The severity of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageLevel {
    /// Nothing could be checked.
    Error,
    /// A problem that the user can fix.
    Warning,
    /// Possibly useful information.
    Note,
    /// A limit of the check.
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
    /// Something selected by name does not exist.
    NotFound,
    /// The checker failed.
    InternalFailure,
    /// An edit cancelled the check.
    Cancelled,
    /// A syntax error, or a module without a file.
    SyntaxError,
    /// A crate is taken as empty because rust-analyzer panics on it.
    BrokenCrate,
    /// A target has no `main` that rustc accepts.
    NotAProgram,
    /// There is nothing to run.
    NothingToRun,
    /// Not all of a library's public API is called.
    ApiLeftOut,
    /// Not all tests of a crate are run.
    TestsLeftOut,
    /// A comment that should suppress a finding is invalid.
    WrongAllow,
    /// A comment suppressed nothing.
    UnusedAllow,
    /// The workspace's configuration names something that does not exist.
    WrongConfig,
    /// Rules and entries that the workspace's configuration leaves out.
    LeftOut,
    /// The code is checked for another platform than std's.
    OtherPlatform,
    /// A dependency is missing.
    MissingDependency,
    /// Keys of cargo's configuration that are not used.
    UnusedConfiguration,
    /// Files or folders that were not read.
    NotRead,
    /// Procedural macro libraries were loaded.
    MacrosLoaded,
    /// Build output that is not used, missing or out of date.
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
    /// A message about a limit of the check.
    pub fn info(kind: MessageKind, stage: Stage, text: impl Into<String>) -> Message {
        Message { kind, level: MessageLevel::Info, stage, location: None, text: text.into() }
    }

    /// The reason why nothing could be checked.
    pub fn error(kind: MessageKind, text: impl Into<String>) -> Message {
        Message { kind, level: MessageLevel::Error, stage: Stage::Start, location: None, text: text.into() }
    }

    /// The same with a location.
    #[must_use]
    pub fn at(self, location: Option<Location>) -> Message {
        Message { location, ..self }
    }
}

/// `path:line:col: warning: text`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.location {
            write!(f, "{location}: ")?;
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
