//! A finding as people are told of it, before a front end gives it a form.

use crate::project::Place;

/// How much a finding counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A bug.
    Error,
}

impl Level {
    /// As printed.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
        }
    }
}

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Name of the rule, kebab-case.
    pub rule: &'static str,
    /// How much it counts.
    pub level: Level,
    /// One sentence about the primary site, lower-case and without a full stop.
    pub message: String,
    /// Where it is shown.
    pub primary: Place,
    /// All other sites that belong to it, each with what happens there.
    pub others: Vec<(Place, String)>,
}
