//! What runs of a program came to, as data.

use crate::{diagnostic::Diagnostic, harness::Skipped, project::Place, sites::SitePlace};
use ra_ap_hir_def::DefWithBodyId;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What the exploration of one entry gave.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// One for each root cause, in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that lie wholly in dependencies: counted, not shown.
    pub elsewhere: usize,
    /// Findings that rest on something that was not understood: shown on demand, and never counted.
    pub possible: Vec<Diagnostic>,
    /// Runs made.
    pub runs: u32,
    /// Whether no other run is worth making: nothing to schedule, and nothing from outside, or as much of it as a harness
    /// gets that starts no thread.
    pub is_only_run: bool,
    /// Steps in all of them.
    pub steps: u64,
    /// The places that synchronise which runs reached; the flag says whether another thread could run then.
    pub reached: Vec<(SitePlace, bool)>,
    /// The bodies that code was made of, in no certain order.
    pub bodies: Vec<DefWithBodyId>,
    /// Whether inputs were made up of the program's dictionary.
    pub has_inputs: bool,
    /// How runs ended that did not come to the program's own end, and how many did so.
    pub cut_short: Vec<(String, u32)>,
    /// Findings that are not shown because their own schedule did not show them again: a mistake of ours.
    pub unconfirmed: usize,
    /// Uninterpreted values met.
    pub uninterpreted: Option<Uninterpreted>,
    /// Functions that the entry's harness does not call.
    pub skipped: Vec<Skipped>,
    /// Whether there were fewer runs for the sake of the other entries.
    pub is_curtailed: bool,
}

/// The uninterpreted values of a run, or of several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Uninterpreted {
    /// How many.
    pub count: u64,
    /// Why, each once: first what was not understood, then what comes from outside, each in the order in which it came up.
    pub causes: Vec<UnknownReason>,
}

impl Uninterpreted {
    /// Takes in those of other runs.
    pub fn absorb(&mut self, other: Uninterpreted) {
        self.count += other.count;
        for cause in other.causes {
            match self.causes.iter_mut().find(|known| known.text == cause.text) {
                Some(known) => {
                    let places: FxHashSet<&Option<Place>> = known.places.iter().collect();
                    let new: Vec<_> = cause.places.into_iter().filter(|it| !places.contains(it)).collect();
                    known.places.extend(new);
                }
                None => self.causes.push(cause),
            }
        }
    }
}

/// Why values are not known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnknownReason {
    /// In words.
    pub text: String,
    /// Where, each once, in the order in which they came up; nothing where the source has no such place.
    pub places: Vec<Option<Place>>,
}

/// How an interpreted program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramOutcome {
    /// The exit status that the program's process would have; `None` if it did not come to its end.
    pub status: Option<i32>,
    /// Why it did not.
    pub cut_short: Option<String>,
    /// Values that were not known.
    pub uninterpreted: Option<Uninterpreted>,
    /// Instructions executed.
    pub steps: u64,
}
