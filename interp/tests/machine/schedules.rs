//! Runs under every strategy: what replays, and what early wake-ups make of waits.

use super::concurrency::{INVERSION, condvar, counter};
use super::module;
use interp::finding::FindingKind;
use interp::ir::FnId;
use interp::run::{Bound, Config, Jitter, RunEnd, RunOutcome, Session, continue_run, run, run_and_keep};
use interp::sched::{Hints, PointKind, Recorder, Replayer, Scheduler, Strategy};

/// A thread writes after ten seconds what `main` writes after three.
const SLEEPERS: &str = r#"
fn f0 "main" () -> s0:4 frame 64 local {
  global_addr s40 = g0
  fn_addr s8 = f1
  call s24 = f104(s8, s40)
  const s16:8 = 3
  zero s32:4
  call s0 = f112(s16, s32)
  const s0:4 = 1
  store *s40 + 0 = s0:4 @1
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 64 local {
  const s16:8 = 10
  zero s24:4
  call s32 = f112(s16, s24)
  const s8:4 = 2
  store *s0 + 0 = s8:4 @2
  return
}
fn f2 "init" () -> s0:4 frame 16 { zero s0:4 return }
global g0 "STATE" size 4 align 4 init f2 static
"#;

/// Runs a program under one strategy with each of some seeds.
fn runs(text: &str, strategy: Strategy) -> Vec<RunOutcome> {
    runs_with(text, strategy, &Config::default())
}

fn runs_with(text: &str, strategy: Strategy, config: &Config) -> Vec<RunOutcome> {
    let mut host = module(text);
    let mut session = Session::new();
    let config = Config { wake_ups: strategy.wake_ups(), ..config.clone() };
    let mut one = |seed| {
        let mut scheduler = strategy.scheduler(&Hints { points: 20, kinds: &[PointKind::Lock, PointKind::Spawn] });
        scheduler.begin_run(seed);
        let mut out: Vec<u8> = Vec::new();
        run(&mut session, &mut host, FnId(0), &[], &config, &mut scheduler, &mut out)
    };
    (0..30).map(&mut one).collect()
}

#[test]
fn a_late_thread_is_overtaken_only_where_time_is_adversarial() {
    for strategy in Strategy::ALL {
        let outcomes = runs(SLEEPERS, strategy);
        assert!(outcomes.iter().all(|it| it.waits.timed && !it.waits.notified && it.end == RunEnd::Returned(1)));
        let races =
            outcomes.iter().filter(|it| it.findings.iter().any(|found| found.kind == FindingKind::DataRace)).count();
        assert_eq!(races > 0, strategy == Strategy::AdversarialTime, "{strategy}: {races}");
        assert!(races < outcomes.len(), "{strategy}");
        assert!(outcomes.iter().flat_map(|it| &it.findings).all(|it| it.rests_on_time), "{strategy}");
    }
}

#[test]
fn deadlines_within_the_jitter_come_due_together() {
    // Half a second before the thread, which is within 10%.
    let close = SLEEPERS.replace("const s16:8 = 3\n  zero s32:4", "const s16:8 = 9\n  const s32:4 = 500000000");
    for strategy in Strategy::ALL {
        let found: Vec<_> = runs(&close, strategy).into_iter().flat_map(|it| it.findings).collect();
        assert!(!found.is_empty() && found.len() < 30, "{strategy}: {}", found.len());
        assert!(found.iter().any(|it| !it.rests_on_time), "{strategy}");
    }
    let exact = Config { jitter: Jitter::NONE, ..Config::default() };
    let races = |outcome: &RunOutcome| !outcome.findings.is_empty();
    assert!(!runs_with(&close, Strategy::RandomWalk, &exact).iter().any(races));
}

/// Invariant 31.
#[test]
fn runs_that_continue_from_a_prefix_are_whole_runs() {
    let mut session = Session::new();
    let programs =
        [counter(true), counter(false), INVERSION.to_owned(), condvar(true), NO_LOOP.to_owned(), SLEEPERS.to_owned()];
    for (text, points) in programs.iter().flat_map(|it| [0, 1, 2].map(|points| (it, points))) {
        let mut host = module(text);
        session.clear();
        let mut out: Vec<u8> = Vec::new();
        let first = Config { seed: 3, beginning_points: points, ..Config::default() };
        let mut walk = Strategy::RandomWalk.scheduler(&Hints::default());
        walk.begin_run(0);
        let (_, prefix) = run_and_keep(&mut session, &mut host, FnId(0), &[], &first, &mut walk, &mut out, 0);
        let prefix = prefix.expect("it starts a thread");
        assert_eq!((prefix.seed(), prefix.points()), (3, points));
        for (strategy, seed) in Strategy::ALL.into_iter().flat_map(|it| (0..10).map(move |seed| (it, seed))) {
            let config = Config { concurrent_seed: Some(seed), wake_ups: strategy.wake_ups(), ..first.clone() };
            let scheduler = || {
                let mut it = strategy.scheduler(&Hints { points: 30, kinds: &[PointKind::Lock] });
                it.begin_run(seed);
                it
            };
            let whole = run(&mut session, &mut host, FnId(0), &[], &config, &mut scheduler(), &mut out);
            let continued = continue_run(&mut session, &mut host, &prefix, &config, &mut scheduler(), &mut out);
            assert_eq!(format!("{whole:?}"), format!("{continued:?}"), "{strategy} {seed}");
            assert!(whole.steps > prefix.steps());
        }
    }
}

#[test]
fn the_bound_on_steps_counts_from_where_schedules_can_differ() {
    let mut host = module(&counter(true));
    let mut session = Session::new();
    let mut end = |prefix_steps, max_steps| {
        let config = Config { prefix_steps, max_steps, ..Config::default() };
        let mut walk = Strategy::RandomWalk.scheduler(&Hints::default());
        walk.begin_run(0);
        let mut out: Vec<u8> = Vec::new();
        run_and_keep(&mut session, &mut host, FnId(0), &[], &config, &mut walk, &mut out, 0)
    };
    let (whole, prefix) = end(1_000, 1_000);
    let before = prefix.expect("it starts a thread").steps();
    assert!(before > 1 && matches!(whole.end, RunEnd::Returned(_)));
    let (short, prefix) = end(before - 1, 1_000);
    assert_eq!((short.end, short.steps, prefix.is_none()), (RunEnd::Bound(Bound::Steps), before, true));
    let (short, _) = end(before, 1);
    assert_eq!((short.end, short.steps), (RunEnd::Bound(Bound::Steps), before + 2));
    assert_eq!(end(before, whole.steps - before).0.end, whole.end);
}

/// `main` waits without a loop, and a thread that has much to do notifies it.
const NO_LOOP: &str = r#"
fn f0 "main" () -> s0:4 frame 64 local {
  global_addr s40 = g0
  ptr_add s48 = s40 + 8
  call s0 = f102(s40)
  fn_addr s8 = f1
  call s24 = f104(s8, s40)
  call s0 = f109(s48, s40)
  load s0:4 = *s40 + 16
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 64 local {
  call s8 = f102(s0)
  call s8 = f103(s0)
  call s8 = f102(s0)
  const s8:4 = 7
  store *s0 + 16 = s8:4
  call s8 = f103(s0)
  ptr_add s16 = s0 + 8
  call s8 = f110(s16)
  return
}
fn f2 "init" () -> s0:24 frame 32 { zero s0:24 return }
global g0 "STATE" size 24 align 8 init f2 static
"#;

#[test]
fn a_wait_ends_for_no_reason_only_in_runs_of_that_kind() {
    for strategy in Strategy::ALL {
        let outcomes = runs(NO_LOOP, strategy);
        assert!(outcomes.iter().all(|it| it.waits.notified && !it.waits.timed && it.findings.is_empty()), "{strategy}");
        let early = outcomes.iter().filter(|it| it.end == RunEnd::Returned(0)).count();
        assert_eq!(early > 0, strategy == Strategy::Spurious, "{strategy}: {early}");
        assert!(early < outcomes.len(), "{strategy}");
    }
}

#[test]
fn nothing_wakes_for_no_reason_when_all_wait() {
    let lonely = r#"
fn f0 "main" () -> s0:4 frame 64 { addr_of s40 = s48 call s0 = f116(s40) zero s0:4 return }
"#;
    assert!(runs(lonely, Strategy::Spurious).iter().all(|it| it.end == RunEnd::Deadlock));
}

#[test]
fn runs_replay_from_their_schedule() {
    let mut session = Session::new();
    let programs =
        [counter(true), counter(false), INVERSION.to_owned(), condvar(true), condvar(false), SLEEPERS.to_owned()];
    for text in programs {
        let mut host = module(&text);
        session.clear();
        for (strategy, seed) in Strategy::ALL.into_iter().flat_map(|it| (0..10).map(move |seed| (it, seed))) {
            let config = Config { wake_ups: strategy.wake_ups(), ..Config::default() };
            let mut recorder =
                Recorder::new(strategy.scheduler(&Hints { points: 30, kinds: &[PointKind::Lock, PointKind::Spawn] }));
            recorder.begin_run(seed);
            let mut out: Vec<u8> = Vec::new();
            let first = run(&mut session, &mut host, FnId(0), &[], &config, &mut recorder, &mut out);
            assert_eq!(first.choices as usize, recorder.schedule().choices.len());
            let mut replayer = Replayer::new(recorder.into_schedule());
            replayer.begin_run(0);
            let second = run(&mut session, &mut host, FnId(0), &[], &config, &mut replayer, &mut out);
            assert_eq!((replayer.diverged_at(), replayer.is_finished()), (None, true));
            assert_eq!((first.end, first.findings, first.steps), (second.end, second.findings, second.steps));
        }
    }
}
