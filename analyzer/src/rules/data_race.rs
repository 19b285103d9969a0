//! `data-race`: two unordered accesses to one location, one of them a write.

use crate::{
    diagnostic::{Diagnostic, Level, Related, Role},
    rules::confidence,
    wording::{Wording, in_order, object_of, verb},
};

/// The rule's name.
pub(super) const NAME: &str = "data-race";

pub(super) fn diagnose(wording: &mut Wording<'_>) -> Option<Diagnostic> {
    let finding = wording.finding;
    let [first, second] = finding.events.as_slice() else { return None };
    // The later access is shown where both are in the workspace; it is the one that nothing ordered.
    let (shown, primary, other, other_place) = match (wording.site(&first.stack), wording.site(&second.stack)) {
        (first_place, Some(second_place)) => (second, second_place, first, first_place),
        (Some(first_place), None) => (first, first_place, second, None),
        (None, None) => return None,
    };
    let name = object_of(&shown.action).and_then(|object| wording.known(&object));
    let (one, two) = (wording.thread(shown.thread), wording.thread(other.thread));
    let (does, did) = (verb(&shown.action), verb(&other.action));
    let what = name.as_deref().unwrap_or("memory");
    let title = match does == did {
        true => format!("{two} and {one} both {} {what}, and nothing orders the two", plural(does)),
        false => format!("{two} {did} and {one} {does} {what}, and nothing orders the two"),
    };
    let message = match &name {
        Some(name) => format!("{one} {does} {name} here, which {two} {did}, and nothing orders the two"),
        None => format!("{one} {does} memory here that {two} {did}, and nothing orders the two"),
    };
    let label = format!("{one} {does} {what} here");
    let others = other_place.filter(|place| *place != primary);
    let others = others.map(|place| Related { place, text: format!("{two} {did} it here"), role: Role::Part });
    let functions = in_order(vec![wording.function(&first.stack), wording.function(&second.stack)]);
    let cause = format!("{}:{functions}", name.unwrap_or_default().replace('`', ""));
    Some(Diagnostic {
        rule: NAME,
        level: Level::Error,
        title,
        message,
        primary,
        label,
        others: others.into_iter().collect(),
        cause,
        confidence: confidence(finding),
        shown_by: (0, 0),
        replay: None,
        threads: wording.paths(),
        steps: wording.steps(),
        notes: Vec::new(),
        help: None,
    })
}

/// `write` of `writes`.
fn plural(verb: &str) -> &str {
    verb.strip_suffix('s').unwrap_or(verb)
}
