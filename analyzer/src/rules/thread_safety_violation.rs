//! `thread-safety-violation`: two unordered calls on one object that does not allow them.

use crate::{
    diagnostic::{Diagnostic, Level},
    report_text::{
        ReportText,
        pair::{Pair, Texts},
    },
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence},
};
use interp::{
    finding::{Action, Event, FindingKind},
    ir::FnId,
};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "thread-safety-violation",
    summary: "two unordered method calls on an object that does not allow them, at least one of them a write",
    level: Level::Error,
    page: include_str!("thread_safety_violation.md"),
    // What a call gives access to, such as an entry of a map or the content of a `RefCell`, races in the same
    // statement.
    absorbs: &["data-race"],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::ThreadSafetyViolation,
        diagnose,
        needs_closed_world: false,
        rests_on_time: false,
        has_missed_wake_ups: false,
        needs_contrast: false,
        harnesses: HarnessPolicy::All,
    }],
};

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let pair = Pair::of(report)?;
    let (one, two) = (&pair.one, &pair.two);
    let of = pair.name.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
    let (calls, called) = (report.method(func(pair.shown)?), report.method(func(pair.other)?));
    let title = match calls == called {
        true => format!("{two} and {one} both call `{calls}`{of}, and nothing orders the two"),
        false => format!("{two} calls `{called}` and {one} calls `{calls}`{of}, and nothing orders the two"),
    };
    let also = if calls == called { "it too".to_owned() } else { format!("`{called}` on the same object") };
    let message = format!("{one} calls `{calls}`{of} here, {two} called {also}, and nothing orders the two");
    let (label, other) = (format!("{one} calls `{calls}`{of} here"), format!("{two} called `{called}`"));
    let confidence = confidence(report.finding);
    Some(
        pair.diagnostic(Texts { rule: RULE.name, level: RULE.level, confidence, title, message, label, other }, report),
    )
}

fn func(event: &Event) -> Option<FnId> {
    match event.action {
        Action::Calls { func, .. } => Some(func),
        _ => None,
    }
}
