//! Outcomes of runs, as data.

use crate::{diagnostic::Diagnostic, harness::Skipped, project::Location, sites::BodySite};
use indexmap::IndexMap;
use ra_ap_hir_def::DefWithBodyId;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The outcome of exploring one entry.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// One for each root cause, in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that are entirely in dependencies: counted, not shown.
    pub elsewhere: usize,
    /// Findings that depend on unsupported code: shown on demand, never counted.
    pub possible: Vec<Diagnostic>,
    /// Number of runs.
    pub runs: u32,
    /// Whether further runs would be pointless: there is nothing to schedule and no input, or a harness that starts no
    /// thread has had enough inputs.
    pub is_only_run: bool,
    /// Steps of all runs.
    pub steps: u64,
    /// The synchronisation sites that runs reached; the flag says whether another thread could run then.
    pub reached: Vec<(BodySite, bool)>,
    /// Those that runs reached only behind a deadlock or a panic, where only deadlocks are told.
    pub behind: FxHashSet<BodySite>,
    /// The bodies that were lowered, in no particular order.
    pub bodies: Vec<DefWithBodyId>,
    /// Whether inputs were made up from the program's dictionary.
    pub has_inputs: bool,
    /// How runs ended before the program's own end, with the number of runs.
    pub cut_short: Vec<(String, u32)>,
    /// Findings that are not shown because their schedule did not show them again: a bug of ours.
    pub unconfirmed: usize,
    /// Uninterpreted values that runs met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Functions that the entry's harness does not call.
    pub skipped: Vec<Skipped>,
    /// Pairs of calls that the entry's harness makes from two threads.
    pub pairs: PairsOfCalls,
    /// Whether it got fewer runs than an entry alone: because of the number of entries, or because its last runs reached
    /// nothing new.
    pub is_curtailed: bool,
    /// Whether further runs would probably reach more.
    pub is_promising: bool,
    /// Whether it got one short run: it starts no thread, and nothing that it calls synchronises.
    pub is_idle: bool,
    /// Whether it got fewer runs, or none, because the time for exploration was over.
    pub is_out_of_time: bool,
}

impl Explored {
    /// The outcome of both, which are explorations of the same entry.
    pub(crate) fn with(mut self, other: Explored) -> Explored {
        let diagnostics =
            other.diagnostics.into_iter().filter(|new| !self.diagnostics.iter().any(|it| it.is_same_bug(new)));
        let diagnostics: Vec<Diagnostic> = diagnostics.collect();
        self.diagnostics.extend(diagnostics);
        let mut possible = std::mem::take(&mut self.possible);
        for new in other.possible {
            if !possible.iter().any(|it| it.is_same_bug(&new)) {
                possible.push(new);
            }
        }
        possible.retain(|it| !self.diagnostics.iter().any(|known| known.is_same_bug(it)));
        let mut reached: IndexMap<BodySite, bool, FxBuildHasher> = self.reached.into_iter().collect();
        for (site, is_concurrent) in other.reached {
            *reached.entry(site).or_default() |= is_concurrent;
        }
        self.behind.extend(other.behind);
        self.behind.retain(|site| !reached.contains_key(site));
        for (reason, runs) in other.cut_short {
            match self.cut_short.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, known)) => *known += runs,
                None => self.cut_short.push((reason, runs)),
            }
        }
        let uninterpreted = match (self.uninterpreted, other.uninterpreted) {
            (Some(mut all), Some(more)) => {
                all.absorb(more);
                Some(all)
            }
            (one, another) => one.or(another),
        };
        self.bodies.extend(other.bodies);
        Explored {
            diagnostics: self.diagnostics,
            // Both may have met the same.
            elsewhere: self.elsewhere.max(other.elsewhere),
            possible,
            runs: self.runs + other.runs,
            is_only_run: self.is_only_run && other.is_only_run,
            steps: self.steps + other.steps,
            reached: reached.into_iter().collect(),
            behind: self.behind,
            bodies: self.bodies,
            has_inputs: self.has_inputs || other.has_inputs,
            cut_short: self.cut_short,
            unconfirmed: self.unconfirmed + other.unconfirmed,
            uninterpreted,
            skipped: self.skipped,
            pairs: self.pairs.with(other.pairs),
            is_curtailed: self.is_curtailed || other.is_curtailed,
            is_promising: self.is_promising || other.is_promising,
            is_idle: self.is_idle && other.is_idle,
            is_out_of_time: self.is_out_of_time || other.is_out_of_time,
        }
    }
}

/// A call that a harness makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HarnessCall {
    /// The list from which it is chosen: methods, last calls, or functions without a receiver.
    pub list: u8,
    /// The index of the function in that list.
    pub index: u64,
}

/// Pairs of calls that a harness makes from two threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairsOfCalls {
    /// The number of possible pairs.
    pub all: u64,
    /// Those that were under way at the same time, with the number of the scenario.
    pub overlapped: BTreeSet<(u64, [HarnessCall; 2])>,
}

impl PairsOfCalls {
    fn with(mut self, other: PairsOfCalls) -> PairsOfCalls {
        self.overlapped.extend(other.overlapped);
        PairsOfCalls { all: self.all.max(other.all), ..self }
    }
}

/// The uninterpreted values of a run, or of several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Uninterpreted {
    /// Their number.
    pub count: u64,
    /// Their causes, without duplicates: *unknown* ones first, then inputs, each in order of occurrence.
    pub causes: Vec<UnknownReason>,
}

impl Uninterpreted {
    /// Adds those of other runs.
    pub fn absorb(&mut self, other: Uninterpreted) {
        self.count += other.count;
        for cause in other.causes {
            match self.causes.iter_mut().find(|known| known.text == cause.text) {
                Some(known) => {
                    let locations: FxHashSet<&Option<Location>> = known.locations.iter().collect();
                    let new: Vec<_> = cause.locations.into_iter().filter(|it| !locations.contains(it)).collect();
                    known.locations.extend(new);
                }
                None => self.causes.push(cause),
            }
        }
    }
}

/// A cause of uninterpreted values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnknownReason {
    /// The text.
    pub text: String,
    /// Whether it is code that is not understood; otherwise it is an input.
    pub is_unknown: bool,
    /// The locations, without duplicates, in order of occurrence; `None` outside the source.
    pub locations: Vec<Option<Location>>,
}

/// How an interpreted program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOutcome {
    /// The exit status of the program's process; `None` if it did not end.
    pub status: Option<i32>,
    /// Why it did not end.
    pub cut_short: Option<String>,
    /// Uninterpreted values that the run met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Whether something in it was chosen at random: another seed may give another outcome.
    pub varies: bool,
    /// Number of executed instructions.
    pub steps: u64,
}
