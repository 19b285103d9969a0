//! `data-race`: two unordered accesses to one location, one of them a write.

use super::{Names, event_site, thread};
use crate::diagnostic::{Diagnostic, Level};
use interp::finding::{Action, Event, Finding};

/// The rule's name.
pub(super) const NAME: &str = "data-race";

pub(super) fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let [first, second] = finding.events.as_slice() else { return None };
    let (first_site, second_site) = (event_site(first, names), event_site(second, names));
    // The later access is shown where both are in the workspace; it is the one that nothing ordered.
    let (shown, shown_site, other, other_site) = match (first_site, second_site) {
        (first_site, Some(second_site)) => (second, second_site, first, first_site),
        (Some(first_site), None) => (first, first_site, second, None),
        (None, None) => return None,
    };
    let what = object(shown, names).unwrap_or_else(|| "the same memory".to_owned());
    let message = format!(
        "{} {} {what} here while {} {} it; nothing orders the two",
        thread(shown.thread),
        verb(shown),
        thread(other.thread),
        verb(other),
    );
    let others =
        other_site.map(|it| (it, format!("{} {} it here", thread(other.thread), verb(other)))).into_iter().collect();
    Some(Diagnostic { rule: NAME, level: Level::Error, message, primary: shown_site, others })
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
