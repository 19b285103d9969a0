//! `schedule-dependent-fault`: the same inputs lead to undefined behaviour under one schedule and end well under another.

use crate::{
    diagnostic::{Diagnostic, Level, Related, Role},
    report_text::{ReportText, fault_text},
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence},
};
use interp::{
    finding::{Action, FindingKind},
    memory::Fault,
};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "schedule-dependent-fault",
    summary: "undefined behaviour, where the same inputs end well under another schedule",
    level: Level::Error,
    page: include_str!("schedule_dependent_fault.md"),
    absorbs: &[],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::EntryFaulted,
        diagnose,
        needs_closed_world: true,
        rests_on_time: true,
        has_missed_wake_ups: false,
        needs_contrast: true,
        harnesses: HarnessPolicy::All,
    }],
};

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let finding = report.finding;
    let (event, freed) = (finding.events.first()?, finding.events.get(1));
    let Action::Faults { fault, .. } = event.action else { return None };
    let primary = report.site(&event.stack)?;
    let who = report.thread(event.thread);
    let by_other = freed.filter(|freed| freed.thread != event.thread).map(|freed| report.thread(freed.thread));
    let what = match (fault, by_other) {
        (Fault::BadFree { .. }, Some(other)) => format!("frees what {other} has already freed"),
        (_, Some(other)) => format!("accesses memory that {other} has already freed"),
        (Fault::BadFree { .. }, None) if freed.is_some() => "frees memory twice".to_owned(),
        (_, None) => fault_text(fault).to_owned(),
    };
    let related = |freed: &interp::finding::Event, report: &mut ReportText<'_>| {
        let text = format!("{} frees it here", report.thread(freed.thread));
        Some(Related { location: report.site(&freed.stack)?, text, role: Role::Part })
    };
    let others = freed.and_then(|freed| related(freed, report)).into_iter().collect();
    Some(Diagnostic {
        rule: RULE.name,
        level: RULE.level,
        title: format!("{who} {what}, but only under some schedules"),
        message: format!("here {who} {what}; under another schedule the same inputs end well"),
        primary,
        label: format!("{who} {what} here"),
        others,
        entry: None,
        cause: format!("{}:{}", report.item(&event.stack), report.operation(&event.stack)),
        confidence: confidence(finding),
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: report.paths(),
        steps: report.steps(),
        notes: vec![("fix".to_owned(), fix(fault).to_owned())],
        help: None,
        declared: report.declared.clone(),
        is_known_safe: false,
    })
}

/// What to do about it.
fn fix(fault: Fault) -> &'static str {
    match fault {
        Fault::Freed { .. } | Fault::Ended { .. } | Fault::BadFree { .. } => {
            "keep what is used alive: give each thread an `Arc` of its own, or let it live until all threads are joined"
        }
        Fault::Unreachable => "make sure that no other thread can change what the code relies on, or handle that case",
        _ => "check and use the pointer in one step, under one lock or by one atomic operation",
    }
}
