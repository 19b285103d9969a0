//! Text for people (design §3.11). A rule is one `.rs`, which words a finding, and one `.md`, which explains it.

use crate::{diagnostic::Diagnostic, project::Place};
use interp::{
    clock::ThreadId,
    finding::{Finding, Object, Rule, StackEntry},
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

/// What a rule may ask while it words a finding.
pub trait Names {
    /// Where an entry of a stack stands.
    fn place(&mut self, entry: &StackEntry) -> Option<Place>;
    /// What people call an object: the name of a static.
    fn object(&mut self, object: &Object) -> Option<String>;
    /// Name of the function of an entry.
    fn function(&mut self, entry: &StackEntry) -> String;
}

/// A finding in words; `None` if it lies wholly outside the workspace.
pub fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    match finding.rule {
        Rule::DataRace => data_race::diagnose(finding, names),
        Rule::ThreadSafetyViolation => thread_safety_violation::diagnose(finding, names),
        Rule::LockCycle => deadlock::cycle(finding, names),
        Rule::WaitsForEver => deadlock::waits_for_ever(finding, names),
    }
}

/// What people call a thread of a finding.
fn thread(finding: &Finding, id: ThreadId) -> String {
    match finding.thread_names.get(id.index()) {
        _ if id == ThreadId::ENTRY => "`main`".to_owned(),
        Some(Some(name)) => format!("`{name}`"),
        _ => format!("thread {}", id.0),
    }
}

/// The place in the workspace that a stack belongs to: the innermost frame there.
fn site(stack: &[StackEntry], names: &mut dyn Names) -> Option<Place> {
    stack.iter().filter(|it| it.is_local).find_map(|it| names.place(it))
}

/// The function in the workspace that a stack belongs to.
fn function(stack: &[StackEntry], names: &mut dyn Names) -> String {
    stack.iter().find(|it| it.is_local).map_or_else(String::new, |it| names.function(it))
}

/// Names in a row that does not depend on which thread came first.
fn in_order(mut names: Vec<String>) -> String {
    names.sort();
    names.dedup();
    names.join("|")
}
