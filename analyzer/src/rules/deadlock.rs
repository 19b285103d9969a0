//! `deadlock`: threads that wait for each other, or for something that never comes.

use super::{Names, event_site, site, thread};
use crate::diagnostic::{Diagnostic, Level};
use interp::finding::{Action, Event, Finding, LockKind, Rule};

/// The rule's name.
pub(super) const NAME: &str = "deadlock";

pub(super) fn diagnose(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let mut sites = Vec::new();
    for event in &finding.events {
        if let Some(place) = event_site(event, names) {
            sites.push((place, format!("{} {}", thread(event.thread), waits(event, names))));
        }
        for (_, object, stack) in &event.held {
            let is_wanted = finding.rule == Rule::LockCycle
                && finding.events.iter().any(|it| waited_object(it) == Some(object.addr));
            if is_wanted && let Some(place) = site(stack, names) {
                sites.push((place, format!("{} took the lock here and still holds it", thread(event.thread))));
            }
        }
    }
    if sites.is_empty() {
        return None;
    }
    let (primary, what) = sites.remove(0);
    let message = match (finding.rule, finding.events.as_slice()) {
        (Rule::LockCycle, [only]) => {
            format!("{} waits here for a lock that it holds itself", thread(only.thread))
        }
        (Rule::LockCycle, events) => {
            let threads: Vec<_> = events.iter().map(|it| thread(it.thread)).collect();
            format!("{} each hold a lock that the next one waits for", join(&threads))
        }
        _ => format!("{what}, and nothing can wake it any more"),
    };
    Some(Diagnostic { rule: NAME, level: Level::Error, message, primary, others: sites })
}

fn waited_object(event: &Event) -> Option<u64> {
    match &event.action {
        Action::WaitsLock { object, .. } => Some(object.addr),
        _ => None,
    }
}

fn waits(event: &Event, names: &mut dyn Names) -> String {
    match &event.action {
        Action::WaitsLock { kind, object } => {
            let what = names.object(object).unwrap_or_else(|| "a lock".to_owned());
            match kind {
                LockKind::Mutex => format!("waits here for {what}"),
                LockKind::Read => format!("waits here to read {what}"),
                LockKind::Write => format!("waits here to write {what}"),
            }
        }
        Action::WaitsCondvar { .. } => "waits here for a notification".to_owned(),
        Action::WaitsJoin { thread: other } => format!("waits here for {} to end", thread(*other)),
        Action::WaitsPark { .. } => "is parked here".to_owned(),
        _ => "waits here".to_owned(),
    }
}

fn join(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
