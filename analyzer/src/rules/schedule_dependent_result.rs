//! `schedule-dependent-result`: a `main` or test fails under one schedule, where the same inputs end well under another.

use crate::{
    diagnostic::{Diagnostic, Level},
    report_text::ReportText,
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence, on_one_line},
};
use interp::finding::{Action, FindingKind};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "schedule-dependent-result",
    summary: "a `main` or test that fails, where the same inputs end well under another schedule",
    level: Level::Error,
    page: include_str!("schedule_dependent_result.md"),
    absorbs: &[],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::EntryFailed,
        diagnose,
        needs_closed_world: true,
        rests_on_time: true,
        has_missed_wake_ups: false,
        needs_contrast: true,
        harnesses: HarnessPolicy::Never,
    }],
};

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let finding = report.finding;
    let event = finding.events.first()?;
    let Action::Exits { status } = event.action else { return None };
    let primary = report.site(&event.stack)?;
    let who = report.thread(event.thread);
    let item = report.item(&event.stack);
    let printed = finding.message.as_ref().map(|message| ("message".to_owned(), on_one_line(message)));
    Some(Diagnostic {
        rule: RULE.name,
        level: RULE.level,
        title: format!("`{item}` ends with status {status}, but only under some schedules"),
        message: format!("here {who} ends with status {status}; under another schedule the same inputs end well"),
        primary,
        label: format!("{who} ends with status {status} here"),
        others: Vec::new(),
        entry: None,
        cause: format!("{item}:{}", report.operation(&event.stack)),
        confidence: confidence(finding),
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: report.paths(),
        steps: report.steps(),
        notes: printed.into_iter().chain([("fix".to_owned(), FIX.to_owned())]).collect(),
        help: None,
        declared: report.declared.clone(),
        is_known_safe: false,
    })
}

/// The text of the note `fix`.
const FIX: &str = "wait for what the result depends on: join the threads, or check and change it under one lock";
