//! `data-race`: two unordered accesses to one location, one of them a write.

use crate::{
    diagnostic::{Diagnostic, Level, Related, Role},
    rules::confidence,
    wording::{Wording, in_order, listed, verb},
};
use interp::{
    finding::Object,
    trace::{Deed, TraceStep},
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
    let name = shown.action.object().and_then(|object| wording.known(&object));
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
    let mut label = format!("{one} {does} {what} here");
    if other_place.as_ref() == Some(&primary) {
        label.push_str(&format!(", and {two} {did} it here too"));
    }
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
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: wording.paths(),
        steps: wording.steps(),
        notes: why(wording).into_iter().map(|text| ("why", text)).collect(),
        help: None,
    })
}

/// Why nothing orders the accesses: no lock at both, no start or end of a thread between, no atomic that would do. Silent
/// if the steps are not known.
pub(super) fn why(wording: &mut Wording<'_>) -> Option<String> {
    let finding = wording.finding;
    let [first, second] = finding.events.as_slice() else { return None };
    let at = finding.trace.iter().position(|step| matches!(step.deed, Deed::Accesses { .. }))?;
    let mut parts = vec![locks(wording, at)];
    let (one, two) = (wording.thread(first.thread), wording.thread(second.thread));
    let starts = |thread| finding.trace.iter().find(|step| step.deed == Deed::Starts { thread });
    let starter = |thread| starts(thread).map(|step| step.thread);
    if starter(first.thread) == Some(second.thread) || starter(second.thread) == Some(first.thread) {
        let child = if starter(first.thread) == Some(second.thread) { first } else { second };
        let name = wording.thread(child.thread);
        let place = wording.site(&child.started);
        let place = place.map_or_else(String::new, |it| format!(" at line {}", it.line));
        parts.push(format!("{name} runs since its start{place}, and neither waits for the other"));
    } else {
        parts.push(format!("{one} and {two} run at the same time, and neither waits for the other"));
    }
    if let Some((stored, loaded)) = wording.weak_pair() {
        let (store, load) = (wording.told(&finding.trace[stored]), wording.told(&finding.trace[loaded]));
        parts.push(format!("{one} {store} and {two} {load}, which orders nothing"));
    }
    Some(parts.join("; "))
}

/// Which locks are held at both accesses; the first one is the step `at`.
fn locks(wording: &mut Wording<'_>, at: usize) -> String {
    let finding = wording.finding;
    let (first, second) = (&finding.events[0], &finding.events[1]);
    let mut held: Vec<(Object, &TraceStep)> = Vec::new();
    for step in finding.trace[..at].iter().filter(|step| step.thread == first.thread) {
        match step.deed {
            Deed::Takes { object, .. } => held.push((object, step)),
            Deed::Releases { object } => {
                if let Some(index) = held.iter().rposition(|it| it.0.addr == object.addr) {
                    held.remove(index);
                }
            }
            _ => {}
        }
    }
    let is_common = held.iter().any(|(object, _)| second.held.iter().any(|it| it.1.addr == object.addr));
    let ones: Vec<String> = held.iter().map(|(object, step)| wording.at_step(object, step, "a lock")).collect();
    let twos: Vec<String> = second.held.iter().map(|(kind, object, _)| wording.lock(*kind, object)).collect();
    let (one, two) = (wording.thread(first.thread), wording.thread(second.thread));
    match (ones.as_slice(), twos.as_slice()) {
        ([], []) => "neither holds a lock".to_owned(),
        (ones, []) => format!("{one} holds {}, {two} holds no lock", listed(ones)),
        ([], twos) => format!("{two} holds {}, {one} holds no lock", listed(twos)),
        (ones, _) if is_common => format!("both hold {}, but only to read", listed(ones)),
        (ones, twos) => format!("{one} holds {}, {two} holds {}", listed(ones), listed(twos)),
    }
}

/// `write` of `writes`.
fn plural(verb: &str) -> &str {
    verb.strip_suffix('s').unwrap_or(verb)
}
