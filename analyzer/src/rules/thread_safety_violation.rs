//! `thread-safety-violation`: two unordered calls on one object that does not allow them.

use super::data_race;
use crate::{
    diagnostic::{Diagnostic, Level, Related, Role},
    rules::confidence,
    wording::{Wording, in_order},
};
use interp::{
    finding::{Action, Event},
    ir::FnId,
};

/// The rule's name.
pub(super) const NAME: &str = "thread-safety-violation";

pub(super) fn diagnose(wording: &mut Wording<'_>) -> Option<Diagnostic> {
    let finding = wording.finding;
    let [first, second] = finding.events.as_slice() else { return None };
    // The later call is shown where both are in the workspace; it is the one that nothing ordered.
    let (shown, primary, other, other_place) = match (wording.site(&first.stack), wording.site(&second.stack)) {
        (first_place, Some(second_place)) => (second, second_place, first, first_place),
        (Some(first_place), None) => (first, first_place, second, None),
        (None, None) => return None,
    };
    let name = shown.action.object().and_then(|object| wording.known(&object));
    let of = name.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
    let (one, two) = (wording.thread(shown.thread), wording.thread(other.thread));
    let (calls, called) = (wording.method(func(shown)?), wording.method(func(other)?));
    let title = match calls == called {
        true => format!("{two} and {one} both call `{calls}`{of}, and nothing orders the two"),
        false => format!("{two} calls `{called}` and {one} calls `{calls}`{of}, and nothing orders the two"),
    };
    let also = if calls == called { "it too".to_owned() } else { format!("`{called}` on the same object") };
    let message = format!("{one} calls `{calls}`{of} here, {two} called {also}, and nothing orders the two");
    let mut label = format!("{one} calls `{calls}`{of} here");
    if other_place.as_ref() == Some(&primary) {
        label.push_str(&format!(", and {two} called it here too"));
    }
    let others = other_place.filter(|place| *place != primary);
    let others = others.map(|place| Related { place, text: format!("{two} called `{called}` here"), role: Role::Part });
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
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: wording.paths(),
        steps: wording.steps(),
        notes: data_race::why(wording).into_iter().map(|text| ("why", text)).collect(),
        help: None,
    })
}

fn func(event: &Event) -> Option<FnId> {
    match event.action {
        Action::Calls { func, .. } => Some(func),
        _ => None,
    }
}
