//! The steps that lead to a finding: recorded on demand, without changing the run.

use super::concurrency::{INVERSION, counter};
use super::module;
use interp::finding::{Action, Finding, FindingKind};
use interp::ir::FnId;
use interp::run::{Config, RunOutcome, Session, run};
use interp::sched::{RandomWalk, Scheduler};
use interp::trace::{TraceEvent, TraceStep};

pub(crate) fn run_with(text: &str, seed: u64, trace: bool) -> RunOutcome {
    let mut host = module(text);
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(seed);
    let config = Config { seed, trace, ..Config::default() };
    run(&mut Session::new(), &mut host, FnId(0), &[], &config, &mut scheduler, &mut Vec::new())
}

/// The first finding of a rule among some seeds, traced.
fn traced(text: &str, kind: FindingKind) -> Finding {
    let findings = (0..40).flat_map(|seed| run_with(text, seed, true).findings);
    findings.into_iter().find(|finding| finding.kind == kind).expect("one of the seeds shows it")
}

/// What happens and at which innermost site.
fn told(step: &TraceStep) -> String {
    let what = match &step.event {
        TraceEvent::Starts { thread } => format!("starts {}", thread.0),
        TraceEvent::Takes { object, .. } => format!("takes +{}", object.offset),
        TraceEvent::Releases { object } => format!("releases +{}", object.offset),
        TraceEvent::Waits { action: Action::WaitsLock { object, .. } } => format!("waits for +{}", object.offset),
        TraceEvent::Waits { action: Action::WaitsJoin { thread } } => format!("joins {}", thread.0),
        TraceEvent::Accesses { action: Action::Read { .. } } => "reads".to_owned(),
        TraceEvent::Accesses { action: Action::Write { .. } } => "writes".to_owned(),
        other => format!("{other:?}"),
    };
    let site = step.stack.first().map_or(0, |entry| entry.site.0);
    format!("{} {what} @{site}", step.thread.0)
}

#[test]
fn a_lock_cycle_has_its_steps() {
    let finding = traced(INVERSION, FindingKind::LockCycle);
    let steps: Vec<String> = finding.trace.iter().map(told).collect();
    let of = |thread: &str| -> Vec<&str> {
        let own = steps.iter().filter(|step| step.starts_with(thread));
        own.map(|step| &step[2..]).collect()
    };
    assert_eq!(of("0")[..2], ["starts 1 @1", "starts 2 @2"]);
    assert_eq!(of("1"), ["takes +8 @7", "waits for +0 @8"]);
    assert_eq!(of("2"), ["takes +0 @5", "waits for +8 @6"]);
    // The wait that closes the cycle is the last step.
    assert!(steps.last().is_some_and(|step| step.contains("waits for")), "{steps:?}");
}

#[test]
fn a_race_has_both_accesses_in_their_order() {
    let finding = traced(&counter(false), FindingKind::DataRace);
    let accesses: Vec<&TraceStep> =
        finding.trace.iter().filter(|step| matches!(step.event, TraceEvent::Accesses { .. })).collect();
    let [first, second] = accesses[..] else { panic!("{:?}", finding.trace) };
    assert_eq!((first.thread, second.thread), (finding.events[0].thread, finding.events[1].thread));
    assert_eq!(finding.trace.last(), Some(second));
    // Its thread was started before the first access.
    let started = |step: &TraceStep| step.event == TraceEvent::Starts { thread: first.thread };
    let before = finding.trace.iter().take_while(|step| *step != first);
    assert!(before.clone().any(started), "{:?}", finding.trace);
}

#[test]
fn tracing_changes_nothing_else() {
    for seed in 0..20 {
        let plain = run_with(INVERSION, seed, false);
        let mut traced = run_with(INVERSION, seed, true);
        assert!(plain.findings.iter().all(|finding| finding.trace.is_empty()));
        for finding in &mut traced.findings {
            finding.trace.clear();
        }
        assert_eq!((plain.end, plain.findings, plain.steps), (traced.end, traced.findings, traced.steps));
        assert_eq!(plain.reached, traced.reached);
    }
}
