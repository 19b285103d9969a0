//! Programs at random: a run's outcome does not depend on whether calls become part of their callers, nor what the
//! program does on whether its code was made shorter.

mod program;

use interp::ir::FnId;
use interp::opt::optimize;
use interp::rng::Rng;
use interp::run::{Config, RunEnd, RunOutcome, Session, run};
use interp::sched::{RandomWalk, Scheduler};
use interp::text::Module;
use std::rc::Rc;

/// Programs tried.
const PROGRAMS: u64 = 200;

/// Small bounds, so that they are met too.
fn config(seed: u64) -> Config {
    let mut rng = Rng::with_stream(seed, 7);
    Config {
        seed,
        prefix_steps: 2_000 + u64::from(rng.below(20_000)),
        max_steps: 2_000 + u64::from(rng.below(20_000)),
        stack_bytes: 2_000 + rng.below(8_000) as usize,
        max_depth: 4 + rng.below(40) as usize,
        ..Config::default()
    }
}

pub(super) fn run_once(session: &mut Session, host: &mut Module, config: &Config) -> (RunOutcome, Vec<u8>) {
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(config.seed);
    let mut out: Vec<u8> = Vec::new();
    let outcome = run(session, host, FnId(0), &[], config, &mut scheduler, &mut out);
    (outcome, out)
}

#[test]
fn inlining_shows_in_nothing() {
    let (mut returned, mut with_findings, mut panicked, mut bounded, mut deadlocked) = (0, 0, 0, 0, 0);
    for number in 0..PROGRAMS {
        let text = program::random(number);
        let mut host = super::module(&text);
        let mut plain = Session::inlining_after(0);
        let mut others = [1, 3, 20].map(Session::inlining_after);
        for seed in 0..3 {
            let config = config(number * 100 + seed);
            let (outcome, out) = run_once(&mut plain, &mut host, &config);
            let expected = format!("{outcome:?}\n{}", String::from_utf8_lossy(&out));
            for session in &mut others {
                let (outcome, out) = run_once(session, &mut host, &config);
                let got = format!("{outcome:?}\n{}", String::from_utf8_lossy(&out));
                assert_eq!(expected, got, "program {number}, seed {seed}\n{text}");
            }
            with_findings += u32::from(!outcome.findings.is_empty());
            match outcome.end {
                RunEnd::Returned(_) => returned += 1,
                RunEnd::Panicked | RunEnd::Aborted => panicked += 1,
                RunEnd::Bound(_) => bounded += 1,
                RunEnd::Deadlock => deadlocked += 1,
                RunEnd::Exited(_) => {}
                end => panic!("program {number}: {end:?}\n{text}"),
            }
        }
    }
    // The programs are worth the trouble.
    let all = [returned, with_findings, panicked, bounded, deadlocked];
    assert!(all.iter().all(|count| *count > 10), "{all:?}");
}

/// What an optimiser has to leave as it is. Steps and addresses it may change.
fn essence(outcome: &RunOutcome, out: &[u8]) -> String {
    let findings = outcome.findings.iter().map(|finding| {
        let events = finding.events.iter().map(|event| (event.thread, &event.stack, &event.started));
        (finding.kind, events.collect::<Vec<_>>(), finding.rests_on)
    });
    let findings: Vec<_> = findings.collect();
    let reached = &outcome.reached;
    format!("{:?} {findings:?} {reached:?} {}", outcome.end, String::from_utf8_lossy(out))
}

#[test]
fn shorter_code_does_the_same() {
    let (mut shorter, mut compared) = (0, 0);
    for number in 0..PROGRAMS {
        let text = program::random(number);
        let mut host = super::module(&text);
        let mut short = host.clone();
        for code in short.functions.values_mut() {
            let before = code.instrs.len();
            optimize(Rc::make_mut(code), program::regions());
            shorter += before - code.instrs.len();
        }
        assert!(short.verify().is_ok(), "program {number}");
        for seed in 0..3 {
            let config = Config { seed, prefix_steps: 20_000, max_steps: 20_000, ..Config::default() };
            let (outcome, out) = run_once(&mut Session::new(), &mut host, &config);
            let (short_outcome, short_out) = run_once(&mut Session::new(), &mut short, &config);
            // Where a bound is met depends on the number of steps and the sizes of frames.
            if matches!(outcome.end, RunEnd::Bound(_)) || matches!(short_outcome.end, RunEnd::Bound(_)) {
                continue;
            }
            compared += 1;
            let (expected, got) = (essence(&outcome, &out), essence(&short_outcome, &short_out));
            assert_eq!(expected, got, "program {number}, seed {seed}\n{text}\n{short}");
        }
    }
    assert!(shorter > 5 * PROGRAMS as usize && compared > PROGRAMS, "{shorter} {compared}");
}
