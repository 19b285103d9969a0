//! A finding as people are told of it, before a front end gives it a form.

use crate::{explore::Witness, project::Place};

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

/// What another site has to do with a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// It is one of the accesses or waits that make the finding.
    Part,
    /// It explains one of them: a lock was taken there that is still held.
    Reason,
}

/// Another site of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What happens there, about as long as a label.
    pub text: String,
    /// Why it is told.
    pub role: Role,
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
    /// All other sites that belong to it; none is there twice.
    pub others: Vec<Related>,
    /// The root cause: two findings of a rule with one cause are one. Made of names, never of lines.
    pub cause: String,
    /// Schedules that show it, of how many.
    pub shown_by: (u32, u32),
    /// What `tsvd-check replay` calls it; none if it could not be replayed.
    pub replay: Option<String>,
    /// The shortest schedule found that shows it.
    pub witness: Option<Witness>,
}

impl Diagnostic {
    /// Whether both have one root cause.
    pub fn is_same_bug(&self, other: &Diagnostic) -> bool {
        self.rule == other.rule && self.cause == other.cause
    }

    /// Takes in the sites of another finding that has the same cause.
    pub fn absorb(&mut self, other: Diagnostic) {
        let first = Related { place: other.primary, text: other.message, role: Role::Part };
        for site in std::iter::once(first).chain(other.others) {
            if site.place != self.primary && self.others.iter().all(|known| known.place != site.place) {
                self.others.push(site);
            }
        }
    }
}
