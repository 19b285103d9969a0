//! `deadlock`: threads that wait for each other, or for something that never comes.

use super::{Names, function, in_order, site, thread};
use crate::diagnostic::{Diagnostic, Level, Related, Role};
use interp::finding::{Action, Event, Finding, LockKind, Object};

/// The rule's name.
pub(super) const NAME: &str = "deadlock";

/// Threads that wait in a circle for locks.
pub(super) fn cycle(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let events = &finding.events;
    let mut parts = Vec::new();
    let mut locks = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let Action::WaitsLock { kind, object } = event.action else { return None };
        let next = &events[(index + 1) % events.len()];
        let here = if index == 0 { "here " } else { "" };
        let name = names.object(&object);
        let wait = format!("{} waits {here}{}", thread(finding, event.thread), wanted(kind, name.as_deref()));
        let holder = if events.len() == 1 { "it".to_owned() } else { thread(finding, next.thread) };
        let is_held = next.held.iter().any(|held| held.1.addr == object.addr);
        parts.push(match (&name, is_held) {
            _ if !is_held => format!("{wait} behind {holder}, as a writer that waits goes first"),
            (Some(_), _) => format!("{wait}, which {holder} holds{}", itself(events)),
            (None, _) => format!("{wait} that {holder} holds{}", itself(events)),
        });
        locks.push(name);
    }
    let mut functions: Vec<_> = events.iter().map(|event| function(&event.stack, names)).collect();
    // What has no name is told apart by who waits.
    if locks.iter().all(Option::is_some) {
        functions.clear();
    }
    let locks = in_order(locks.into_iter().flatten().collect());
    let cause = format!("{locks}:{}", in_order(functions));
    let sites = sites(finding, names);
    finish(parts.join("; "), cause, sites)
}

/// The entry's thread waits for what nobody can give it any more.
pub(super) fn waits_for_ever(finding: &Finding, names: &mut dyn Names) -> Option<Diagnostic> {
    let mut parts = Vec::new();
    let mut functions = Vec::new();
    for (index, event) in finding.events.iter().enumerate() {
        let here = if index == 0 { "here " } else { "" };
        parts.push(format!("{} {}", thread(finding, event.thread), waits(finding, event, here, names)));
        functions.push(function(&event.stack, names));
    }
    let sites = sites(finding, names);
    let message = match parts.as_slice() {
        [] => return None,
        [only] => format!("{only}, and nothing can wake it any more"),
        several => format!("{}, and nothing can wake them any more", several.join("; ")),
    };
    finish(message, in_order(functions), sites)
}

/// The first site is the primary one.
fn finish(message: String, cause: String, sites: Vec<Related>) -> Option<Diagnostic> {
    let mut sites = sites.into_iter();
    let primary = sites.next()?.place;
    let mut others: Vec<Related> = Vec::new();
    for site in sites {
        if site.place != primary && others.iter().all(|known| known.place != site.place) {
            others.push(site);
        }
    }
    Some(Diagnostic { rule: NAME, level: Level::Error, message, primary, others, cause })
}

/// Each thread's wait, followed by where it took what others wait for.
fn sites(finding: &Finding, names: &mut dyn Names) -> Vec<Related> {
    let mut sites = Vec::new();
    for event in &finding.events {
        let who = thread(finding, event.thread);
        if let Some(place) = site(&event.stack, names) {
            let text = format!("{who} {}", waits(finding, event, "here ", names));
            // A thread that has ended does not wait; it explains why others do.
            let role = if matches!(event.action, Action::Holds { .. }) { Role::Reason } else { Role::Part };
            sites.push(Related { place, text, role });
        }
        for (_, object, stack) in &event.held {
            let is_wanted = finding.events.iter().any(|it| waited_lock(it).is_some_and(|it| it.addr == object.addr));
            if is_wanted && let Some(place) = site(stack, names) {
                let what = names.object(object).unwrap_or_else(|| "the lock".to_owned());
                sites.push(Related { place, text: format!("{who} took {what} here"), role: Role::Reason });
            }
        }
    }
    sites
}

fn itself(events: &[Event]) -> &'static str {
    if events.len() == 1 { " itself" } else { "" }
}

fn waited_lock(event: &Event) -> Option<Object> {
    match event.action {
        Action::WaitsLock { object, .. } => Some(object),
        _ => None,
    }
}

fn wanted(kind: LockKind, name: Option<&str>) -> String {
    let what = name.unwrap_or("a lock");
    match kind {
        LockKind::Mutex => format!("for {what}"),
        LockKind::Read => format!("to read {what}"),
        LockKind::Write => format!("to write {what}"),
    }
}

fn waits(finding: &Finding, event: &Event, here: &str, names: &mut dyn Names) -> String {
    match event.action {
        Action::WaitsLock { kind, object } => {
            format!("waits {here}{}", wanted(kind, names.object(&object).as_deref()))
        }
        Action::WaitsCondvar { .. } => format!("waits {here}for a notification"),
        Action::WaitsJoin { thread: other } => format!("waits {here}for {} to end", thread(finding, other)),
        Action::Holds { object, .. } => {
            let what = names.object(&object).unwrap_or_else(|| "a lock".to_owned());
            format!("took {what} {here}and ended without giving it back")
        }
        Action::WaitsSend { .. } => format!("waits {here}for somebody to receive"),
        Action::WaitsReceive { .. } => format!("waits {here}for a message"),
        Action::WaitsBarrier { .. } => format!("waits {here}for others at the barrier"),
        Action::WaitsOnce { .. } => format!("waits {here}for an initialisation that is under way"),
        Action::WaitsScope { .. } => format!("waits {here}for the threads of the scope to end"),
        Action::WaitsPark { .. } => format!("waits {here}to be woken"),
        _ => format!("waits {here}").trim_end().to_owned(),
    }
}
