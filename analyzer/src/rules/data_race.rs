//! `data-race`: two unordered accesses to one location, one of them a write.

use super::{Names, function, in_order, site, thread};
use crate::diagnostic::{Diagnostic, Level, Related, Role};
use interp::finding::{Action, Event, Finding};

/// The rule's name.
pub(super) const NAME: &str = "data-race";

pub(super) fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let [first, second] = finding.events.as_slice() else { return None };
    // The later access is shown where both are in the workspace; it is the one that nothing ordered.
    let (shown, primary, other, other_place) = match (site(&first.stack, names), site(&second.stack, names)) {
        (first_place, Some(second_place)) => (second, second_place, first, first_place),
        (Some(first_place), None) => (first, first_place, second, None),
        (None, None) => return None,
    };
    let name = object(shown, names);
    let (one, two) = (thread(finding, shown.thread), thread(finding, other.thread));
    let (does, did) = (verb(shown), verb(other));
    let message = match &name {
        Some(name) => format!("{one} {does} {name} here, which {two} {did}, and nothing orders the two"),
        None => format!("{one} {does} memory here that {two} {did}, and nothing orders the two"),
    };
    let others = other_place.map(|place| Related { place, text: format!("{two} {did} it here"), role: Role::Part });
    let functions = in_order(vec![function(&first.stack, names), function(&second.stack, names)]);
    let cause = format!("{}:{functions}", name.unwrap_or_default());
    Some(Diagnostic {
        rule: NAME,
        level: Level::Error,
        message,
        primary,
        others: others.into_iter().collect(),
        cause,
        shown_by: (1, 1),
        replay: None,
        witness: None,
    })
}

fn object(event: &Event, names: &mut dyn Names) -> Option<String> {
    match &event.action {
        Action::Read { object, .. } | Action::Write { object, .. } => names.object(object),
        _ => None,
    }
}

fn verb(event: &Event) -> &'static str {
    match event.action {
        Action::Read { atomic: false, .. } => "reads",
        Action::Read { atomic: true, .. } => "atomically reads",
        Action::Write { atomic: true, .. } => "atomically writes",
        _ => "writes",
    }
}
