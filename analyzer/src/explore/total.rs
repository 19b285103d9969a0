//! What the entries of a package gave together: one finding for each root cause, one denominator.

use super::{Explored, Uninterpreted};
use crate::{
    diagnostic::Diagnostic,
    harness::Skipped,
    project::{EntryKind, EntryPoint, Project},
    sites::{SiteCount, SitePlace, Sites},
};
use ra_ap_base_db::Crate;

/// The sum over some entries.
#[derive(Default)]
pub struct Total {
    /// How many of them are programs.
    pub programs: usize,
    /// How many of them are tests.
    pub tests: usize,
    /// How many of them are types and functions of a library's API.
    pub api: usize,
    /// How many of them are functions that start threads, in the middle of what they belong to.
    pub middle: usize,
    /// How many bugs were told.
    pub bugs: usize,
    /// How many findings rest on something that was not understood.
    pub possible: usize,
    /// How many findings comments allow.
    pub allowed: usize,
    /// How many findings lie wholly in dependencies.
    pub elsewhere: usize,
    /// How many findings were not shown by their own schedule: mistakes of ours.
    pub unconfirmed: usize,
    /// Runs made.
    pub runs: u32,
    /// How runs ended that did not come to the program's own end, and how many did so.
    pub cut_short: Vec<(String, u32)>,
    /// Uninterpreted values met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Entries that got fewer runs for the sake of the others.
    pub curtailed: usize,
    /// Functions that harnesses do not call.
    pub skipped: Vec<Skipped>,
    known: Vec<Diagnostic>,
    reached: Vec<(SitePlace, bool)>,
    crates: Vec<Crate>,
}

/// What an entry adds to those before it.
#[derive(Default)]
pub struct NewFindings {
    /// Bugs that no entry before has shown.
    pub diagnostics: Vec<Diagnostic>,
    /// The same of findings that rest on something that was not understood.
    pub possible: Vec<Diagnostic>,
}

impl Total {
    /// How many entries there were.
    pub fn entries(&self) -> usize {
        self.programs + self.tests + self.api + self.middle
    }

    /// Takes in what an entry gave; what `is_allowed` is counted and not new.
    pub fn add(
        &mut self,
        project: &Project,
        point: &EntryPoint,
        explored: Explored,
        mut is_allowed: impl FnMut(&Diagnostic) -> bool,
    ) -> NewFindings {
        match point.kind {
            EntryKind::Main => self.programs += 1,
            EntryKind::Test => self.tests += 1,
            EntryKind::Api => self.api += 1,
            EntryKind::Middle => self.middle += 1,
        }
        let mut new = NewFindings::default();
        for diagnostic in explored.diagnostics {
            if self.is_new(&diagnostic) {
                self.known.push(diagnostic.clone());
                if is_allowed(&diagnostic) {
                    self.allowed += 1;
                } else {
                    new.diagnostics.push(diagnostic);
                }
            }
        }
        for diagnostic in explored.possible {
            if self.is_new(&diagnostic) {
                self.known.push(diagnostic.clone());
                if !is_allowed(&diagnostic) {
                    new.possible.push(diagnostic);
                }
            }
        }
        self.bugs += new.diagnostics.len();
        self.possible += new.possible.len();
        self.elsewhere += explored.elsewhere;
        self.unconfirmed += explored.unconfirmed;
        self.runs += explored.runs;
        for (why, runs) in explored.cut_short {
            match self.cut_short.iter_mut().find(|(known, _)| *known == why) {
                Some((_, known)) => *known += runs,
                None => self.cut_short.push((why, runs)),
            }
        }
        if let Some(unknown) = explored.uninterpreted {
            match &mut self.uninterpreted {
                Some(known) => known.absorb(unknown),
                none => *none = Some(unknown),
            }
        }
        self.curtailed += usize::from(explored.is_curtailed);
        self.reached.extend(explored.reached);
        self.skipped.extend(explored.skipped);
        for krate in project.local_crates_of(point) {
            if !self.crates.contains(&krate) {
                self.crates.push(krate);
            }
        }
        new
    }

    /// Whether an entry would run what was not run yet.
    pub fn needs(&self, project: &Project, point: &EntryPoint) -> bool {
        let reached: Vec<SitePlace> = self.reached.iter().map(|(place, _)| *place).collect();
        project.is_needed(point, &reached)
    }

    /// Two programs may have statics and functions of one name: what is one bug is in one file too.
    fn is_new(&self, diagnostic: &Diagnostic) -> bool {
        let mut known = self.known.iter();
        !known.any(|known| known.is_same_bug(diagnostic) && known.primary.path == diagnostic.primary.path)
    }

    /// The places of the workspace that synchronise, by kind: how many the entries see, and how many they reached.
    pub fn sites(&self, project: &Project) -> Vec<SiteCount> {
        Sites::of(project, self.crates.iter().copied()).count(self.reached.iter().copied())
    }
}
