//! Texts that several formats have in common.

use super::{BaseNames, count};
use analyzer::{
    Report,
    diagnostic::{Confidence, Diagnostic, Step, ThreadPath},
    rules,
};

/// The result in a few words: `2 bugs`, `no bug found`, `not checked`.
pub(super) fn result(report: &Report) -> String {
    match report.findings().filter(|it| it.counts()).count() {
        0 if report.parts.iter().any(|part| part.error().is_some()) => "not checked".to_owned(),
        0 => "no bug found".to_owned(),
        bugs => count(bugs, "bug"),
    }
}

/// Notes that explain a finding; the others say what was called, and with which values.
pub(super) fn explanations(diagnostic: &Diagnostic) -> impl Iterator<Item = &str> {
    let is_one = |head: &str| !["called", "given", "tried"].contains(&head);
    diagnostic.notes.iter().filter(move |(head, _)| is_one(head)).map(|(_, text)| text.as_str())
}

/// The text with a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|it| it.to_uppercase().collect()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

/// What follows from the last step, after two dashes; empty if there is nothing to say.
pub(super) fn last_words(diagnostic: &Diagnostic) -> String {
    match diagnostic.rule {
        "deadlock" => {}
        "data-race" | "thread-safety-violation" => {
            let last = diagnostic.steps.last().map(|step| step.thread);
            let earlier = diagnostic.steps.iter().rposition(|step| Some(step.thread) != last && step.is_access);
            return earlier.map_or_else(String::new, |at| format!("-- nothing orders it after step {}", at + 1));
        }
        _ => return String::new(),
    }
    let stuck: Vec<&str> = diagnostic.threads.iter().filter(|it| it.is_part).map(|it| it.name.as_str()).collect();
    let last = diagnostic.steps.last().and_then(|step| diagnostic.threads.get(step.thread));
    // Where the last step is another thread's it has to be said who is meant.
    let is_clear = last.is_none_or(|thread| thread.is_part);
    match stuck[..] {
        [_] if is_clear => "-- it never goes on".to_owned(),
        [one] => format!("-- {one} never goes on"),
        [_, _] if is_clear => "-- neither can go on".to_owned(),
        [one, two] => format!("-- neither {one} nor {two} can go on"),
        _ => "-- none of them can go on".to_owned(),
    }
}

/// `started at main.rs:9 > closure (main.rs:11) > Ledger::deposit (ledger.rs:14)`.
pub(super) fn call_path(thread: &ThreadPath, names: &BaseNames) -> Option<String> {
    let started = thread.started.iter().map(|place| format!("started at {}", names.line(place)));
    let frames = thread.frames.iter().map(|frame| format!("{} ({})", frame.function, names.line(&frame.location)));
    let parts: Vec<String> = started.chain(frames).collect();
    (!parts.is_empty()).then(|| parts.join(" > "))
}

/// What a finding depends on, and how many schedules show it.
pub(super) fn confidence(diagnostic: &Diagnostic) -> String {
    let name = diagnostic.confidence.name();
    let why = match diagnostic.confidence {
        Confidence::Certain => "it depends on no unknown value",
        Confidence::SomeInput => "it depends on a value from outside the program",
        // Of what is only possible nobody counts the schedules.
        Confidence::Possible if diagnostic.notes.iter().any(|(name, _)| name == rules::LATE) => {
            return format!("{name}: it depends on how late a thread wakes");
        }
        Confidence::Possible if rules::rule(diagnostic.rule).is_some_and(|rule| rule.is_on_trial) => {
            return format!("{name}: the rule is on trial");
        }
        Confidence::Possible => return format!("{name}: it depends on unsupported code"),
    };
    let (shown, of) = diagnostic.shown_by;
    let verb = match (diagnostic.rule, shown) {
        ("deadlock", 1) => "hangs here",
        ("deadlock", _) => "hang here",
        (_, 1) => "shows it",
        _ => "show it",
    };
    format!("{name}: {why}. {shown} of {} {verb}", count(of as usize, "schedule"))
}

/// The thread that a step starts.
pub(super) fn started(diagnostic: &Diagnostic, step: &Step) -> Option<usize> {
    let place = step.location.as_ref()?;
    let is_it = |name: &str| step.text.starts_with("starts ") && step.text.replace('`', "").ends_with(name);
    diagnostic.threads.iter().position(|it| it.started.as_ref() == Some(place) && is_it(&it.name.replace('`', "")))
}
