//! `data-race`: two unordered accesses to one location, one of them a write.

use crate::{
    diagnostic::{Diagnostic, Level},
    names::BrokenPromise,
    report_text::{
        ReportText,
        pair::{Pair, Texts},
    },
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence},
};
use interp::finding::{Action, Event, Finding, FindingKind};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "data-race",
    summary: "two unordered accesses to one memory location, at least one of them a write, not both atomic",
    level: Level::Error,
    page: include_str!("data_race.md"),
    absorbs: &["schedule-dependent-fault", "schedule-dependent-panic"],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::DataRace,
        diagnose,
        needs_closed_world: false,
        rests_on_time: false,
        has_missed_wake_ups: false,
        needs_contrast: false,
        harnesses: HarnessPolicy::All,
    }],
};

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    if is_meant(report.finding) {
        return None;
    }
    if let Some(promise) = report.broken_promise() {
        return diagnose_promise(report, promise);
    }
    let is_borrow = report.ends_borrow();
    if is_borrow {
        report.rename_object("what a callback borrows");
    }
    let pair = Pair::of(report)?;
    let (one, two) = (&pair.one, &pair.two);
    let (does, did) = (report.verb(pair.shown), report.verb(pair.other));
    let what = pair.name.as_deref().unwrap_or("memory");
    let title = match does == did {
        true => format!("{two} and {one} both {} {what}, and nothing orders the two", plural(does)),
        false => format!("{two} {did} and {one} {does} {what}, and nothing orders the two"),
    };
    let which = if pair.name.is_some() { format!("{what} here, which") } else { format!("{what} here that") };
    let message = format!("{one} {does} {which} {two} {did}, and nothing orders the two");
    let (label, other) = (format!("{one} {does} {what} here"), format!("{two} {did} it"));
    let confidence = confidence(report.finding);
    let texts = Texts { rule: RULE.name, level: RULE.level, confidence, title, message, label, other };
    let mut diagnostic = pair.diagnostic(texts, report);
    if is_borrow {
        diagnostic.notes.push(("fix".to_owned(), WAIT_FOR_CALLBACK.to_owned()));
    }
    Some(diagnostic)
}

/// The text of the note `fix` if a callback runs after the call that it was given to.
const WAIT_FOR_CALLBACK: &str = "what the callback borrows may be gone once the call has ended or its future is dropped: wait there until the \
                                 callback has returned, or ask for `'static`";

/// A value of a type parameter that is not thread-safe was given to two threads.
fn diagnose_promise(report: &mut ReportText<'_>, promise: BrokenPromise) -> Option<Diagnostic> {
    let BrokenPromise { of, by, what, of_values, location } = promise;
    report.rename_object("the value");
    let pair = Pair::at_promise(report, location)?;
    let message = format!(
        "`{of}` is `{what}` with values that are {of_values}, but {} and {} both use one, and nothing orders the two",
        pair.two, pair.one
    );
    let label = match of == by {
        true => format!("it allows values that are {of_values}"),
        false => format!("`{of}` is `{what}` because of this"),
    };
    let confidence = confidence(report.finding);
    let (rule, level, title, other) = (RULE.name, RULE.level, message.clone(), String::new());
    let diagnostic = pair.diagnostic(Texts { rule, level, confidence, title, message, label, other }, report);
    let mut notes = diagnostic.notes;
    notes.push(("fix".to_owned(), "exclude such values by a bound, or let one thread at a time use them".to_owned()));
    Some(Diagnostic { cause: format!("{what} for {of}"), notes, ..diagnostic })
}

/// Whether one of the accesses is a volatile access of a dependency that expects the race, such as a sequence lock that
/// reads first and then checks for a write. That is intended, whoever calls it.
fn is_meant(finding: &Finding) -> bool {
    let is_volatile = |event: &Event| {
        matches!(event.action, Action::Read { volatile: true, .. } | Action::Write { volatile: true, .. })
    };
    let is_elsewhere = |event: &Event| event.stack.iter().find(|it| !it.is_std).is_some_and(|it| !it.is_local);
    finding.events.iter().any(is_volatile) && finding.events.iter().all(is_elsewhere)
}

/// The plural form of a verb: `write` for `writes`.
fn plural(verb: &str) -> &str {
    verb.strip_suffix('s').unwrap_or(verb)
}
