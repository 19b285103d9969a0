//! Text for people (invariant 11). A rule is one `.rs`, which words a finding, and one `.md`, which explains it.

use crate::{
    diagnostic::{Confidence, Diagnostic},
    project::Place,
    report_text::{ReportText, inputs},
};
use interp::{
    finding::{Finding, FindingKind, StackEntry},
    ir::GlobalId,
    term::Origin,
};

mod data_race;
mod deadlock;
mod thread_safety_violation;

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleInfo {
    /// Its name, the same everywhere.
    pub name: &'static str,
    /// Its page.
    pub page: &'static str,
}

/// All rules, by name.
pub const RULES: &[RuleInfo] = &[
    RuleInfo { name: data_race::NAME, page: include_str!("rules/data_race.md") },
    RuleInfo { name: deadlock::NAME, page: include_str!("rules/deadlock.md") },
    RuleInfo { name: thread_safety_violation::NAME, page: include_str!("rules/thread_safety_violation.md") },
];

/// How the source speaks of an object; the better way is the smaller one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    /// What kind of name it is.
    pub kind: NameKind,
    /// Where a local is declared: of several, the one declared first counts.
    pub declared: Option<Place>,
    /// The name: `Ledger.accounts`, `CACHE`, `m`.
    pub text: String,
    /// What tells it from others of that name: for a field the variable it was reached through, for a local its function.
    pub of: Option<String>,
}

/// Kinds of names, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NameKind {
    /// A field of a type.
    Field,
    /// A static.
    Static,
    /// What a function gives access to.
    Given,
    /// A variable, or a part of one.
    Local,
}

/// What a rule may ask while it words a finding.
pub trait Names {
    /// Where the operation at an entry of a stack stands.
    fn place(&mut self, entry: &StackEntry) -> Option<Place>;
    /// Whether nobody's code calls what runs, but a harness.
    fn is_harness(&self) -> bool {
        false
    }
    /// The functions that a harness has called, up to the calls in which these stacks are.
    fn calls(&mut self, _events: &[&[StackEntry]]) -> Vec<String> {
        Vec::new()
    }
    /// Name of the function of an entry.
    fn function(&mut self, entry: &StackEntry) -> String;
    /// The modules of its crate that it is in, each with `::` behind it.
    fn modules(&mut self, entry: &StackEntry) -> String;
    /// Whether the operation at an entry gives a place a new value made of its old one, as `+=` does.
    fn updates(&mut self, entry: &StackEntry) -> bool;
    /// Name of a static.
    fn global(&mut self, id: GlobalId) -> Option<String>;
    /// How the source speaks of the object of the operation at a stack's top: what the innermost code of the workspace
    /// calls it. `started` is where the thread was started.
    fn object(&mut self, stack: &[StackEntry], started: &[StackEntry]) -> Option<Name>;
    /// The last line at which a guard made there still lives, where that is certain.
    fn kept_to(&mut self, stack: &[StackEntry]) -> Option<u32>;
    /// How the guard made at one stack could be dropped before the wait at another, if it is not needed after.
    fn release(&mut self, taken: &[StackEntry], waits: &[StackEntry]) -> Option<Release>;
}

/// A guard that can be dropped earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its variable.
    pub guard: String,
    /// Before which statement: where it begins.
    pub place: Place,
    /// The white space before that statement in its line.
    pub indent: String,
}

/// A finding in words; `None` if it lies wholly outside the workspace.
pub fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let report = &mut ReportText::new(finding, names);
    let mut diagnostic = match finding.kind {
        FindingKind::DataRace => data_race::diagnose(report),
        FindingKind::ThreadSafetyViolation => thread_safety_violation::diagnose(report),
        FindingKind::LockCycle => deadlock::cycle(report),
        FindingKind::BlockedForever => deadlock::blocked_forever(report),
    }?;
    for text in [&mut diagnostic.title, &mut diagnostic.message] {
        *text = report.introduced(text);
    }
    let calls = report.calls();
    if !calls.is_empty() {
        diagnostic.notes.push(("called", calls));
    }
    if !finding.given.is_empty() {
        diagnostic.notes.push(("given", inputs::given(&finding.given)));
    }
    if !finding.guesses.is_empty() && confidence(finding) != Confidence::Possible {
        diagnostic.notes.push(("tried", tried(finding.guesses.len())));
    }
    Some(diagnostic)
}

/// That what was not understood does not matter.
fn tried(guesses: usize) -> String {
    let (branches, go) =
        if guesses == 1 { ("1 branch".to_owned(), "it goes") } else { (format!("{guesses} branches"), "they go") };
    format!("{branches} before it on what was not understood: it shows whichever way {go}")
}

/// What a finding rests on. What waits for ever is only known in a closed world: what was not understood may have been given
/// what it waits for.
pub fn confidence(finding: &Finding) -> Confidence {
    let is_open = finding.kind == FindingKind::BlockedForever && finding.is_open;
    match finding.rests_on {
        Some(Origin::Unknown(_) | Origin::Uninit) => Confidence::Possible,
        _ if is_open => Confidence::Possible,
        None => Confidence::Certain,
        Some(Origin::Input) => Confidence::SomeInput,
    }
}

#[cfg(test)]
mod tests {
    use super::confidence;
    use crate::diagnostic::Confidence::{Certain, Possible, SomeInput};
    use interp::{
        finding::{Finding, FindingKind},
        ir::CauseId,
        term::Origin,
    };

    #[test]
    fn what_findings_rest_on() {
        let unknown = Origin::Unknown(CauseId(0));
        let table = [
            (None, [Certain, Possible]),
            (Some(Origin::Input), [SomeInput, Possible]),
            (Some(Origin::Uninit), [Possible, Possible]),
            (Some(unknown), [Possible, Possible]),
        ];
        for (rests_on, [closed, open]) in table {
            for kind in [
                FindingKind::DataRace,
                FindingKind::ThreadSafetyViolation,
                FindingKind::LockCycle,
                FindingKind::BlockedForever,
            ] {
                let of = |is_open| {
                    let (events, trace, thread_names) = (Vec::new(), Vec::new(), Vec::new());
                    confidence(&Finding {
                        kind,
                        events,
                        trace,
                        thread_names,
                        rests_on,
                        rests_on_beside: None,
                        guesses: Vec::new(),
                        is_open,
                        given: Vec::new(),
                        step: 0,
                        choices: 0,
                    })
                };
                // Nothing unknown can take back an access, or break a circle of locks.
                let open = if kind == FindingKind::BlockedForever { open } else { closed };
                assert_eq!((of(false), of(true)), (closed, open), "{kind:?} {rests_on:?}");
            }
        }
    }
}
