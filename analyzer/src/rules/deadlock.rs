//! `deadlock`: threads that wait for each other, or for something that never happens.

use crate::{
    diagnostic::{Diagnostic, Help, Level, Related, Role},
    names::Names,
    project::Location,
    report_text::{ReportText, in_order, listed, system::awaited},
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence, rule_of},
};
use interp::{
    clock::ThreadId,
    finding::{Action, Event, Finding, FindingKind, LockKind, Object, StackEntry},
    trace::{TraceEvent, TraceStep},
};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "deadlock",
    summary: "threads that wait for each other's locks or for a lock that they hold, a `main` or test that waits forever",
    level: Level::Error,
    page: include_str!("deadlock.md"),
    absorbs: &[],
    is_on_trial: false,
    kinds: &[
        KindSpec {
            kind: FindingKind::LockCycle,
            diagnose: cycle,
            needs_closed_world: false,
            rests_on_time: false,
            has_missed_wake_ups: false,
            needs_contrast: false,
            harnesses: HarnessPolicy::WithinCalls,
        },
        KindSpec {
            kind: FindingKind::BlockedForever,
            diagnose: blocked_forever,
            needs_closed_world: true,
            rests_on_time: true,
            has_missed_wake_ups: true,
            needs_contrast: false,
            harnesses: HarnessPolicy::WithinCallsForever,
        },
    ],
};

/// Threads that wait for each other's locks in a cycle.
fn cycle(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let events = &report.finding.events;
    let mut locks = Vec::new();
    for event in events {
        let Action::WaitsLock { object, .. } = event.action else { return None };
        locks.push(report.known(&object));
    }
    let is_named = locks.iter().all(Option::is_some);
    let mut cause = in_order(locks.into_iter().flatten().map(|name| name.replace('`', "")).collect());
    if let [event] = events.as_slice() {
        // Each function that takes a lock twice has to be repaired.
        cause = format!("{cause}:{}", report.item(taken_twice(event)));
    } else if !is_named {
        // Locks without a name are distinguished by who waits.
        let functions = events.iter().map(|event| report.item(&event.stack)).collect();
        cause = format!("{cause}:{}", in_order(functions));
    }
    let title = cycle_title(report);
    finish(report, title, cause)
}

/// The part of the stack of a thread that waits for a lock that it holds itself: from the function that has led to both,
/// outwards.
fn taken_twice(event: &Event) -> &[StackEntry] {
    let wanted = event.action.object();
    let held = event.held.iter().find(|(_, object, _)| Some(object.addr) == wanted.map(|it| it.addr));
    let taken = held.map_or(&[][..], |(.., stack)| stack);
    let mut common = 0;
    for (waits, takes) in event.stack.iter().rev().zip(taken.iter().rev()) {
        if waits.func != takes.func {
            break;
        }
        common += 1;
        if waits.site != takes.site {
            break;
        }
    }
    &event.stack[event.stack.len() - common..]
}

fn cycle_title(report: &ReportText<'_>) -> String {
    let events = &report.finding.events;
    let mut threads: Vec<ThreadId> = events.iter().map(|event| event.thread).collect();
    threads.sort();
    let threads: Vec<String> = threads.into_iter().map(|id| report.thread(id)).collect();
    let behind = events.iter().enumerate().find(|(index, event)| !is_held(event, next(events, *index)));
    match (events.as_slice(), behind) {
        ([event], None) => {
            let (what, how) = wanted(report, event);
            format!("{} waits {how}{what}, which it holds itself", report.thread(event.thread))
        }
        (_, Some((index, event))) => {
            let (what, how) = wanted(report, event);
            let (one, writer) = (report.thread(event.thread), report.thread(next(events, index).thread));
            format!("{one} waits {how}{what} behind {writer}, which waits for {one}")
        }
        ([_, _], None) => format!("{} each hold a lock the other waits for", listed(&threads)),
        (_, None) => format!("{} each hold a lock the next one waits for", listed(&threads)),
    }
}

/// The index of the event that a report about a wait begins with: the entry's thread, or the first call of a harness.
/// Threads that a library has started mostly wait for work.
fn first_told(report: &mut ReportText<'_>) -> Option<usize> {
    let events = &report.finding.events;
    let is_told = |event: &Event| event.thread == ThreadId::ENTRY || report.is_in_call(&event.stack);
    events.iter().position(is_told).or((!events.is_empty()).then_some(0))
}

/// The entry's thread waits for something that can no longer happen.
fn blocked_forever(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let events = &report.finding.events;
    let first = &events[first_told(report)?];
    let mut functions = Vec::new();
    for event in events {
        functions.push(report.item(&event.stack));
    }
    let mut title = format!("{} waits forever", report.thread(first.thread));
    let mut at = first;
    let mut named = vec![first.thread];
    title.push_str(&format!(" {}", waits(report, at)));
    while let Some(next) = served_by(events, at).filter(|next| !named.contains(&next.thread)) {
        title.push_str(&format!(", which waits {}", waits(report, next)));
        named.push(next.thread);
        at = next;
    }
    let cause = in_order(functions);
    finish(report, title, cause)
}

/// Whether a program waits forever on purpose: a future awaits `pending()`, so it goes on until it is stopped.
pub(crate) fn is_on_purpose(finding: &Finding, names: &mut dyn Names) -> bool {
    let mut innermost = finding.suspended.iter().filter_map(|stack| stack.iter().find(|it| it.is_local));
    finding.kind == FindingKind::BlockedForever && innermost.any(|it| names.awaits_what_never_ends(it))
}

/// Words by which docs say that a callback must not call the object that it was given to.
const WARNINGS: [&str; 6] = ["deadlock", "dead lock", "reentran", "re-entran", "recurs", "reenter"];

/// Whether docs say that a callback must not call the object that it was given to: those of the function speak of a lock,
/// or those of its type or crate warn.
pub(crate) fn warns_of_callbacks(of_function: &str, around: &[&str]) -> bool {
    let warns = |docs: &str| {
        let docs = docs.to_lowercase();
        WARNINGS.iter().any(|word| docs.contains(word))
    };
    let mut words = of_function.split(|it: char| !it.is_alphanumeric());
    words.any(|word| word.to_lowercase().starts_with("lock"))
        || warns(of_function)
        || around.iter().any(|docs| warns(docs))
}

/// Whether the docs of a function speak of futures that are dropped before they are ready.
pub(crate) fn warns_of_dropping(docs: &str) -> bool {
    let docs = docs.to_lowercase();
    ["cancel", "dropped before", "is dropped"].iter().any(|word| docs.contains(word))
}

/// The thread for which a thread waits, if there is one.
fn served_by<'a>(events: &'a [Event], event: &Event) -> Option<&'a Event> {
    match event.action {
        Action::WaitsJoin { thread } => events.iter().find(|it| it.thread == thread),
        Action::WaitsLock { object, .. } => {
            events.iter().find(|it| holds(it, object) && !matches!(it.action, Action::Holds { .. }))
        }
        _ => None,
    }
}

/// A location of a finding: a wait, or where a lock that is waited for was taken.
struct Site {
    location: Location,
    label: String,
    sentence: String,
    role: Role,
}

/// Collects all locations. The primary one is the wait of the entry's thread; for a cycle it is the first in the order
/// of the source, whichever thread came first.
fn finish(report: &mut ReportText<'_>, title: String, cause: String) -> Option<Diagnostic> {
    let finding = report.finding;
    let told = first_told(report).and_then(|index| report.site(&finding.events[index].stack));
    let mut sites: Vec<Site> = Vec::new();
    for event in &finding.events {
        let who = report.thread(event.thread);
        if let Action::Holds { kind, object } = event.action {
            // A thread that has ended does not wait; it explains why others do.
            let label = format!("{who} took {} here and ended without releasing it", report.lock(kind, &object));
            let location = report.site(&event.stack);
            sites.extend(location.map(|location| Site {
                location,
                label,
                sentence: String::new(),
                role: Role::Reason,
            }));
            continue;
        }
        if let Some(location) = report.site(&event.stack) {
            let sentence = sentence(report, event);
            let what = waits(report, event);
            sites.push(Site { location, label: format!("{who} waits here {what}"), sentence, role: Role::Part });
        }
        for (kind, object, stack) in &event.held {
            let is_wanted = finding.events.iter().any(|it| waited_lock(it).is_some_and(|it| it.addr == object.addr));
            if is_wanted && let Some(location) = report.site(stack) {
                let kept = report.kept_to(stack);
                let label = format!("{who} took {} here{kept}", report.lock(*kind, object));
                sites.push(Site { location, label, sentence: String::new(), role: Role::Reason });
            }
        }
    }
    let mut parts = sites.iter().filter(|site| site.role == Role::Part).map(|site| &site.location);
    let first = match finding.kind {
        FindingKind::LockCycle => parts.min(),
        _ => told.as_ref().or(parts.next()),
    };
    let first = first.cloned()?;
    let at = sites.iter().position(|site| site.location == first && site.role == Role::Part)?;
    let chosen = sites.remove(at);
    let sentences: Vec<&str> = [chosen.sentence.as_str()]
        .into_iter()
        .chain(sites.iter().filter(|site| site.role == Role::Part).map(|site| site.sentence.as_str()))
        .collect();
    let message = sentences.join("; ");
    // Two threads in the same function have the same locations: one label describes both.
    let mut label = chosen.label;
    let mut others: Vec<Related> = Vec::new();
    for site in sites {
        if site.location == chosen.location {
            label.push_str(&format!("; {}", site.label));
        } else if let Some(known) = others.iter_mut().find(|known| known.location == site.location) {
            known.text.push_str(&format!("; {}", site.label));
            // A wait where another lock was also taken remains a part of the finding.
            known.role = known.role.min(site.role);
        } else {
            others.push(Related { location: site.location, text: site.label, role: site.role });
        }
    }
    let rule = rule_of(finding.kind);
    Some(Diagnostic {
        rule: rule.name,
        level: rule.level,
        title,
        message,
        primary: chosen.location,
        label,
        others,
        entry: None,
        cause,
        confidence: confidence(finding),
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: report.paths(),
        steps: report.steps(),
        notes: {
            let order = order(report).into_iter().map(|text| ("order".to_owned(), text));
            let tasks = report.futures(MOST_FUTURES).into_iter().map(|text| ("task".to_owned(), text));
            let is_drop = |step: &TraceStep| step.event == TraceEvent::DropsFuture;
            let drops = finding.kind == FindingKind::BlockedForever && finding.trace.iter().any(is_drop);
            order.chain(tasks).chain(drops.then(|| ("fix".to_owned(), GIVE_BACK.to_owned()))).collect()
        },
        help: release(report),
        declared: report.declared.clone(),
        is_known_safe: false,
    })
}

/// The text of the note `fix` after a future was dropped.
const GIVE_BACK: &str =
    "what a future has taken before an `.await` is lost if it is dropped there: give it back in the `drop` of a guard";

/// Maximum number of futures that a report names.
const MOST_FUTURES: usize = 8;

/// The orders in which the functions of a cycle take its locks.
fn order(report: &mut ReportText<'_>) -> Option<String> {
    let events = &report.finding.events;
    if report.finding.kind != FindingKind::LockCycle || events.len() < 2 {
        return None;
    }
    let mut parts: Vec<(Option<Location>, String, [String; 2])> = Vec::new();
    for event in events {
        let wanted = waited_lock(event)?;
        let own = event.held.iter().find(|held| {
            held.1.addr != wanted.addr
                && events.iter().any(|it| waited_lock(it).is_some_and(|it| it.addr == held.1.addr))
        })?;
        // A helper that returns a guard takes one lock only.
        let in_both = |entry: &&StackEntry| entry.is_local && event.stack.iter().any(|it| it.func == entry.func);
        let function = match own.2.iter().find(in_both) {
            Some(entry) => report.function(&[*entry]),
            None => report.function(&own.2),
        };
        let function = function.strip_suffix("::{closure}").unwrap_or(&function).to_owned();
        let (first, second) = short_names(&report.known(&own.1)?, &report.known(&wanted)?);
        parts.push((report.site(&event.stack), function, [first, second]));
    }
    parts.sort();
    parts.dedup_by(|one, other| one.1 == other.1 && one.2 == other.2);
    Some(orders(&parts.into_iter().map(|part| (part.1, part.2)).collect::<Vec<_>>()))
}

/// Lists functions with the two locks in the order in which each takes them. A function with several orders is named
/// once.
fn orders(parts: &[(String, [String; 2])]) -> String {
    if let [(one, [first, second]), (other, [third, fourth])] = parts
        && (one, first, second) == (other, fourth, third)
    {
        return format!("`{one}` takes {first}, then {second}, and also the other way round");
    }
    let mut text = String::new();
    for (index, (function, [first, second])) in parts.iter().enumerate() {
        match index.checked_sub(1).map(|before| &parts[before].0) {
            Some(before) if before == function => text.push_str(&format!("; also {first}, then {second}")),
            Some(_) => text.push_str(&format!("; `{function}` takes {first}, then {second}")),
            None => text.push_str(&format!("`{function}` takes {first}, then {second}")),
        }
    }
    text
}

/// The names of two locks without their types, if they still differ.
fn short_names(one: &str, two: &str) -> (String, String) {
    let short = |name: &str| {
        let name = name.replace('`', "");
        name.rsplit_once('.').filter(|_| !name.contains(' ')).map_or(name.clone(), |it| it.1.to_owned())
    };
    if short(one) == short(two) { (one.to_owned(), two.to_owned()) } else { (short(one), short(two)) }
}

/// A guard that can be dropped before one of the waits, which ends the deadlock: its thread holds nothing else that
/// others wait for.
fn release(report: &mut ReportText<'_>) -> Option<Help> {
    let events = &report.finding.events;
    let is_wanted = |object: &Object| events.iter().any(|it| waited_lock(it).is_some_and(|it| it.addr == object.addr));
    let mut found: Vec<Help> = Vec::new();
    for event in events {
        let held: Vec<_> = event.held.iter().filter(|held| is_wanted(&held.1)).collect();
        let [(_, _, taken)] = held.as_slice() else { continue };
        let position = taken.iter().position(|entry| entry.is_local)?;
        let holder = taken[position];
        // The function may have called itself: the activation that holds the guard is as far from the outermost one.
        let frame = (event.stack.len() + position).checked_sub(taken.len());
        let frame = frame.filter(|at| event.stack[*at].func == holder.func);
        let Some(frame) = frame.or_else(|| event.stack.iter().position(|it| it.func == holder.func)) else { continue };
        let (inner, outer) = event.stack.split_at(frame);
        let Some(release) = report.release(taken, outer) else { continue };
        let callee = inner.iter().rfind(|entry| entry.is_local).copied();
        let guard = &release.guard;
        let text = match (callee.map(|it| report.function(&[it])), event.action) {
            (Some(callee), _) => {
                let callee = callee.strip_suffix("::{closure}").unwrap_or(&callee).to_owned();
                format!(
                    "release `{guard}` before the call; other threads may then take the lock before `{callee}` has run"
                )
            }
            (None, Action::WaitsJoin { thread }) => {
                format!("release `{guard}` before waiting for {}", report.thread(thread))
            }
            (None, _) => format!("release `{guard}` before waiting; other threads may then take the lock in between"),
        };
        let replacement = format!("drop({guard});\n{}", release.indent);
        found.push(Help { text, location: release.location, replacement });
    }
    found.into_iter().min_by(|one, two| one.location.cmp(&two.location))
}

/// `main waits for A while holding B`.
fn sentence(report: &mut ReportText<'_>, event: &Event) -> String {
    let events = &report.finding.events;
    let is_wanted = |object: &Object| events.iter().any(|it| waited_lock(it).is_some_and(|it| it.addr == object.addr));
    let own = waited_lock(event).map(|object| object.addr);
    let held: Vec<String> = event
        .held
        .iter()
        .filter(|(_, object, _)| is_wanted(object) && Some(object.addr) != own)
        .map(|(kind, object, _)| report.lock(*kind, object))
        .collect();
    let who = report.thread(event.thread);
    match held.as_slice() {
        [] => format!("{who} waits {}", waits(report, event)),
        held => format!("{who} waits {} while holding {}", wait_alone(report, event), listed(held)),
    }
}

fn next(events: &[Event], index: usize) -> &Event {
    &events[(index + 1) % events.len()]
}

fn is_held(event: &Event, by: &Event) -> bool {
    waited_lock(event).is_some_and(|object| holds(by, object))
}

fn holds(event: &Event, object: Object) -> bool {
    event.held.iter().any(|held| held.1.addr == object.addr)
}

fn waited_lock(event: &Event) -> Option<Object> {
    match event.action {
        Action::WaitsLock { object, .. } => Some(object),
        _ => None,
    }
}

/// The lock that a thread waits for, and for which kind of access.
fn wanted(report: &ReportText<'_>, event: &Event) -> (String, &'static str) {
    match event.action {
        Action::WaitsLock { kind, object } => (report.lock(kind, &object), how(kind)),
        _ => (String::new(), ""),
    }
}

fn how(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Mutex => "for ",
        LockKind::Read => "to read ",
        LockKind::Write => "to write ",
    }
}

/// `for A, held by main`.
pub(super) fn waits(report: &mut ReportText<'_>, event: &Event) -> String {
    let mut text = wait_alone(report, event);
    if let Some(object) = waited_lock(event) {
        match report.finding.events.iter().find(|it| holds(it, object)) {
            Some(holder) if holder.thread == event.thread => text.push_str(", which it holds itself"),
            Some(holder) if matches!(holder.action, Action::Holds { .. }) => {
                text.push_str(&format!(", which {} held when it ended", report.thread(holder.thread)));
            }
            Some(holder) => text.push_str(&format!(", held by {}", report.thread(holder.thread))),
            None => {}
        }
    }
    text
}

/// `for A`.
fn wait_alone(report: &mut ReportText<'_>, event: &Event) -> String {
    match event.action {
        Action::WaitsLock { kind, object } => format!("{}{}", how(kind), report.lock(kind, &object)),
        Action::WaitsCondvar { object } => match report.known(&object) {
            Some(name) => format!("for a notification of {name}"),
            None => "for a notification".to_owned(),
        },
        Action::WaitsJoin { thread } => format!("for {} to end", report.thread(thread)),
        Action::WaitsPark { .. } => match report.awaited_call(event) {
            Some(call) => format!("for the future of `{call}`, which nobody wakes"),
            None => "to be unparked".to_owned(),
        },
        Action::WaitsSend { .. } => match report.own_name(event) {
            Some(name) => format!("for somebody to receive what it sends to {name}"),
            None => "for somebody to receive what it sends".to_owned(),
        },
        Action::WaitsReceive { .. } => match report.own_name(event) {
            Some(name) => format!("for a message from {name}"),
            None => "for a message".to_owned(),
        },
        Action::WaitsBarrier { object } => match report.known(&object) {
            Some(name) => format!("for others at the barrier {name}"),
            None => "for others at a barrier".to_owned(),
        },
        Action::WaitsOnce { object, under_way: true } => match report.known(&object) {
            Some(name) => format!("for the initialisation of {name}, which is under way"),
            None => "for an initialisation that is under way".to_owned(),
        },
        Action::WaitsOnce { object, under_way: false } => match report.known(&object) {
            Some(name) => format!("for {name} to be initialised"),
            None => "for a value to be initialised".to_owned(),
        },
        Action::WaitsScope { .. } => "for the threads of the scope to end".to_owned(),
        Action::WaitsSystem { what } => format!("for {}", awaited(what)),
        Action::WaitsFutex { .. }
        | Action::Holds { .. }
        | Action::Calls { .. }
        | Action::Read { .. }
        | Action::Write { .. }
        | Action::Allocates { .. }
        | Action::Frees { .. }
        | Action::Spins { .. }
        | Action::Exits { .. }
        | Action::Panics { .. }
        | Action::Faults { .. } => "for another thread".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn orders_of_locks() {
        let of = |parts: &[(&str, &str, &str)]| {
            let part = |part: &(&str, &str, &str)| (part.0.to_owned(), [part.1.to_owned(), part.2.to_owned()]);
            orders(&parts.iter().map(part).collect::<Vec<_>>())
        };
        assert_eq!(of(&[("f", "a", "b"), ("g", "b", "a")]), "`f` takes a, then b; `g` takes b, then a");
        assert_eq!(of(&[("f", "a", "b"), ("f", "b", "a")]), "`f` takes a, then b, and also the other way round");
        let circle = of(&[("f", "a", "b"), ("f", "b", "c"), ("f", "c", "a"), ("g", "a", "b")]);
        assert_eq!(circle, "`f` takes a, then b; also b, then c; also c, then a; `g` takes a, then b");
    }
}
