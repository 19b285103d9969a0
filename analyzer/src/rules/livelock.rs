//! `livelock`: threads that spin forever under one schedule, where the same inputs end well under another.

use crate::{
    diagnostic::{Diagnostic, Level, Related, Role},
    report_text::{ReportText, listed},
    rules::{HarnessPolicy, KindSpec, RuleSpec, confidence, deadlock::waits},
};
use interp::finding::{Action, Event, FindingKind};

pub(super) const RULE: RuleSpec = RuleSpec {
    name: "livelock",
    summary: "a thread that spins forever, where the same inputs end well under another schedule",
    level: Level::Error,
    page: include_str!("livelock.md"),
    absorbs: &[],
    is_on_trial: false,
    kinds: &[KindSpec {
        kind: FindingKind::SpinsForever,
        diagnose,
        needs_closed_world: true,
        rests_on_time: true,
        has_missed_wake_ups: true,
        needs_contrast: true,
        harnesses: HarnessPolicy::Never,
    }],
};

fn diagnose(report: &mut ReportText<'_>) -> Option<Diagnostic> {
    let finding = report.finding;
    let spins = |event: &&Event| matches!(event.action, Action::Spins { .. });
    let (spinning, waiting): (Vec<&Event>, Vec<&Event>) = finding.events.iter().partition(spins);
    let first = *spinning.first()?;
    let primary = report.site(&first.stack)?;
    let what = |report: &mut ReportText<'_>, event: &Event| {
        let object = event.action.object().and_then(|object| report.known(&object));
        object.unwrap_or_else(|| "a value".to_owned())
    };
    let (who, on) = (report.thread(first.thread), what(report, first));
    let (mut names, mut is_same) = (vec![who.clone()], true);
    let mut others = Vec::new();
    for event in spinning.iter().skip(1) {
        let (other, its) = (report.thread(event.thread), what(report, event));
        is_same &= its == on;
        let text = format!("{other} spins here on {its}");
        others.extend(report.site(&event.stack).map(|location| Related { location, text, role: Role::Part }));
        names.push(other);
    }
    let title = match names.len() {
        1 => format!("{who} spins forever on {on}"),
        _ if is_same => format!("{} spin forever on {on}", listed(&names)),
        _ => format!("{} spin forever", listed(&names)),
    };
    let mut reasons = Vec::new();
    for event in &waiting {
        let reason = format!("{} waits {}", report.thread(event.thread), waits(report, event));
        let text = format!("{} waits here {}", report.thread(event.thread), waits(report, event));
        others.extend(report.site(&event.stack).map(|location| Related { location, text, role: Role::Reason }));
        reasons.push(reason);
    }
    let why = match (reasons.is_empty(), spinning.len()) {
        (true, 1) => "no other thread is left that could change it".to_owned(),
        (true, _) => "the other threads that are left spin too".to_owned(),
        (false, _) => listed(&reasons),
    };
    Some(Diagnostic {
        rule: RULE.name,
        level: RULE.level,
        title: format!("{title}, but only under some schedules"),
        message: format!("here {who} asks for {on} again and again; {why}"),
        primary,
        label: format!("{who} spins here on {on}"),
        others,
        entry: None,
        cause: format!("{}:{}", report.item(&first.stack), on.replace('`', "")),
        confidence: confidence(finding),
        shown_by: (1, 1),
        replay: None,
        witness: None,
        threads: report.paths(),
        steps: report.steps(),
        notes: vec![("fix".to_owned(), FIX.to_owned())],
        help: None,
        declared: report.declared.clone(),
        is_known_safe: false,
    })
}

/// The text of the note `fix`.
const FIX: &str = "wait on a condition variable or a channel instead, and make sure that every path of the other threads \
                   sets what is waited for";
