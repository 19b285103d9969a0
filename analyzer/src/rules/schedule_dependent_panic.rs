//! `schedule-dependent-panic`: the same inputs panic under one schedule and end well under another.

use crate::{
    diagnostic::{Diagnostic, Level},
    report_text::ReportText,
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence, on_one_line},
};
use interp::finding::FindingKind;

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "schedule-dependent-panic",
    summary: "a panic that nobody handles, where the same inputs end well under another schedule",
    level: Level::Error,
    page: include_str!("schedule_dependent_panic.md"),
    absorbs: &[],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::EntryPanicked,
        diagnose,
        needs_closed_world: true,
        rests_on_time: true,
        has_missed_wake_ups: false,
        needs_contrast: true,
        harnesses: HarnessPolicy::NotInSerialOrder,
    }],
};

/// Functions of std that panic, by the end of their path, and what their caller has done.
const CAUSES: &[(&str, &str)] = &[
    ("Result::expect", "expects `Ok` and gets an `Err`"),
    ("Result::expect_err", "expects an `Err` and gets `Ok`"),
    ("option::unwrap_failed", "unwraps `None`"),
    ("option::expect_failed", "expects a value and gets `None`"),
    ("result::unwrap_failed", "unwraps an `Err`"),
    ("panic_bounds_check", "uses an index that is out of bounds"),
    ("assert_failed", "has an assertion that fails"),
    ("panic_const_add_overflow", "adds with overflow"),
    ("panic_const_sub_overflow", "subtracts with overflow"),
    ("panic_const_mul_overflow", "multiplies with overflow"),
    ("panic_const_div_by_zero", "divides by zero"),
    ("panic_const_rem_by_zero", "divides by zero"),
    ("panic_already_borrowed", "borrows a `RefCell` that is already borrowed"),
    ("panic_already_mutably_borrowed", "borrows a `RefCell` that is already mutably borrowed"),
];

/// Macros that panic, by how their calls begin, and what their caller has done.
const MACROS: &[(&str, &str)] = &[
    ("assert", "has an assertion that fails"),
    ("debug_assert", "has an assertion that fails"),
    ("unreachable!", "reaches what is said to be unreachable"),
    ("todo!", "reaches what is not implemented"),
    ("unimplemented!", "reaches what is not implemented"),
];

/// Messages that say no more than the title.
const KNOWN_MESSAGES: [&str; 3] =
    ["called `Option::unwrap()` on a `None` value", "internal error: entered unreachable code", "not yet implemented"];
/// Whether the author of a function of a library knows of a panic in it, given the operation that panics: a `panic!` says
/// that there may be one, and so do docs that mention panics. What is said to be unreachable is never expected.
pub(crate) fn is_expected(operation: &str, docs: &str) -> bool {
    !operation.starts_with("unreachable!") && (operation.contains("panic!") || docs.to_lowercase().contains("panic"))
}

/// What to do about it.
fn fix(what: &str) -> &'static str {
    match what {
        "has an assertion that fails" => {
            "change what is asserted in one step, under one lock or by one atomic operation, or wait for the other thread"
        }
        "adds with overflow" | "subtracts with overflow" | "multiplies with overflow" | "divides by zero" => {
            "check and compute under one lock, or in one step by `checked_sub`, `fetch_update` and their kin"
        }
        _ => {
            "check and act under one lock, or handle the other case by `if let`, `get` or `match`; or wait for the other \
             thread first"
        }
    }
}

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let finding = report.finding;
    let event = finding.events.first()?;
    let primary = report.site(&event.stack)?;
    let who = report.thread(event.thread);
    let functions: Vec<String> = event.stack.iter().take_while(|it| !it.is_local).map(|it| report.path(it)).collect();
    let cause = CAUSES.iter().find(|(end, _)| functions.iter().any(|path| path.ends_with(end)));
    let operation = report.operation(&event.stack);
    let by_macro = || MACROS.iter().find(|(start, _)| operation.starts_with(start));
    let what = cause.or_else(by_macro).map_or("panics", |(_, what)| *what);
    let message = match what {
        "panics" => format!("{who} panics here; under another schedule the same inputs end well"),
        _ => format!("{who} {what} and panics here; under another schedule the same inputs end well"),
    };
    let is_news = |message: &&String| !KNOWN_MESSAGES.contains(&message.as_str());
    let said = finding.message.as_ref().filter(is_news).map(|message| ("message".to_owned(), on_one_line(message)));
    Some(Diagnostic {
        rule: RULE.name,
        level: RULE.level,
        title: format!("{who} {what}, but only under some schedules"),
        message,
        primary,
        label: format!("{who} {what} here"),
        others: Vec::new(),
        entry: None,
        cause: format!("{}:{what}:{}", report.item(&event.stack), operation),
        confidence: confidence(report.finding),
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: report.paths(),
        steps: report.steps(),
        notes: said.into_iter().chain([("fix".to_owned(), fix(what).to_owned())]).collect(),
        help: None,
        declared: report.declared.clone(),
        is_known_safe: false,
    })
}
