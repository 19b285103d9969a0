//! Handlers of signals: when they run, what they interrupt, and signals from outside.

use super::system::run_with_models;
use interp::environment::Disk;
use interp::finding::FindingKind;
use interp::inputs::MadeUpInput;
use interp::run::{RunEnd, RunOutcome};

/// The models that these tests call, beside those of all tests; `f300` counts signals in a static, and `f301` sets it as
/// the handler of a signal.
const SIGNALS: &str = r#"
fn f200 "signal" (s0:4, s8:8) -> s16:8 frame 32 std = model <signal> ()
fn f201 "raise" (s0:4) -> s4:4 frame 16 std = model <raise> ()
fn f202 "sigprocmask" (s0:4, s8:8, s16:8) -> s24:4 frame 32 std = model <sigprocmask> ()
fn f203 "pause" () -> s0:4 frame 16 std = model <pause> ()
fn f204 "pthread_kill" (s0:8, s8:4) -> s12:4 frame 16 std = model <pthread_kill> ()
fn f205 "sem_wait" (s0:8) -> s8:4 frame 16 std = model <sem_wait> ()
fn f206 "sem_post" (s0:8) -> s8:4 frame 16 std = model <sem_post> ()
fn f298 "zero" () -> s0:8 frame 16 { zero s0:8 return }
global g90 "COUNT" size 8 align 8 init f298 static
global g91 "SEMAPHORE" size 8 align 8 init f298 static
fn f300 "handler" (s0:4) -> s8:0 frame 64 local {
  global_addr s16 = g90
  const s24:8 = 1
  atomic_rmw add relaxed s32:8 = *s16, s24 @90
  return
}
fn f301 "handles" (s0:4) -> s8:0 frame 64 local {
  fn_addr s16 = f300
  call s24 = f200(s0, s16) @91
  return
}
fn f302 "count" () -> s0:8 frame 64 local {
  global_addr s16 = g90
  atomic_load relaxed s0:8 = *s16 @92
  return
}
"#;

fn run_on(text: &str, seed: u64, disk: Disk) -> RunOutcome {
    run_with_models(SIGNALS, text, seed, disk)
}

#[track_caller]
fn returned(text: &str) -> i64 {
    match run_on(text, 0, Disk::Empty).end {
        RunEnd::Returned(value) => value,
        other => panic!("{other:?}"),
    }
}

/// A `main` that handles a signal, does `rest` and returns `s0`.
fn handling(signal: i32, rest: &str) -> String {
    format!(
        "fn f0 \"main\" () -> s0:8 frame 128 local {{
  const s8:4 = {signal}
  call s16 = f301(s8) @1
{rest}
  return
}}"
    )
}

#[test]
fn a_handler_runs_before_the_next_step() {
    assert_eq!(returned(&handling(10, "  call s24 = f201(s8) @2\n  call s0 = f302()")), 1);
    let ended =
        run_on(&handling(10, "  const s8:4 = 15\n  call s24 = f201(s8) @2\n  call s0 = f302()"), 0, Disk::Empty);
    assert_eq!((ended.end, ended.findings), (RunEnd::Exited(128 + 15), vec![]));
}

#[test]
fn a_blocked_signal_waits_and_comes_once() {
    let blocks = "  const s32:8 = 512
  addr_of s40 = s32
  const s48:8 = 0
  const s56:4 = 0
  call s60 = f202(s56, s40, s48) @2
  call s24 = f201(s8) @3
  call s24 = f201(s8) @4
  call s64 = f302()
  const s56:4 = 1
  call s60 = f202(s56, s40, s48) @5
  call s72 = f302()
  bin_imm mul u64 s64 = s64, 10
  bin add u64 s0 = s64, s72";
    assert_eq!(returned(&handling(10, blocks)), 1);
}

/// `main` waits until the handler has run.
const WAITS: &str = "again:\n  call s24 = f203() @2\n  call s0 = f302()\n  branch s0, done, again\ndone:";

#[test]
fn signals_come_from_outside_where_there_is_one() {
    for seed in 0..20 {
        let outcome = run_on(&handling(15, WAITS), seed, Disk::Any);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(1), vec![]));
        let outcome = run_on(&handling(15, WAITS), seed, Disk::Empty);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::WaitsForOutside, vec![]));
    }
    // It comes while a program computes, too.
    let spins = "again:\n  call s0 = f302()\n  branch s0, done, again\ndone:";
    for seed in 0..20 {
        assert_eq!(run_on(&handling(2, spins), seed, Disk::Any).end, RunEnd::Returned(1));
    }
    // One that a user does not send.
    assert_eq!(run_on(&handling(14, WAITS), 0, Disk::Any).end, RunEnd::WaitsForOutside);
}

#[test]
fn a_wait_that_no_signal_ends() {
    let parks = "  global_addr s32 = g91\n  call s40 = f116(s32) @2";
    for signal in [1, 15] {
        let outcome = run_on(&handling(signal, parks), 0, Disk::Any);
        assert_eq!(outcome.end, RunEnd::Deadlock);
        let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
        assert_eq!(
            (finding.kind, &finding.given[..]),
            (FindingKind::BlockedForever, &[MadeUpInput::Signal(signal)][..])
        );
        // Without an outside, somebody may still send it.
        let outcome = run_on(&handling(signal, parks), 0, Disk::Empty);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::WaitsForOutside, vec![]));
    }
    // Another thread waits for signals that do not ask the program to end: it may never be meant to.
    let thread = "\nfn f1 \"thread\" (s0:8) -> s0:0 frame 32 local {\nagain:\n  call s8 = f203() @3\n  jump again\n}";
    let waits = format!("  fn_addr s48 = f1\n  const s56:8 = 0\n  call s64 = f104(s48, s56) @4\n{parks}");
    for seed in 0..10 {
        let outcome = run_on(&(handling(1, &waits) + thread), seed, Disk::Any);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::WaitsForOutside, vec![]));
        assert_eq!(run_on(&(handling(15, &waits) + thread), seed, Disk::Any).end, RunEnd::Deadlock);
    }
}

#[test]
fn a_wait_for_a_lock_goes_on_after_a_handler() {
    let text = handling(
        10,
        "  global_addr s32 = g91
  call s40 = f102(s32) @2
  fn_addr s48 = f1
  call s56 = f104(s48, s32) @3
  call s40 = f103(s32) @4
  call s40 = f102(s32) @5
  call s0 = f302()
  call s40 = f103(s32) @6
  call s40 = f105(s56) @7",
    ) + r#"
fn f1 "thread" (s0:8) -> s0:0 frame 32 local {
  call s8 = f102(s0) @8
  const s8:8 = 0
  const s16:4 = 10
  call s20 = f204(s8, s16) @9
  call s8 = f103(s0) @10
  return
}"#;
    let mut counts = [0, 0];
    for seed in 0..40 {
        let outcome = run_on(&text, seed, Disk::Empty);
        let RunEnd::Returned(count) = outcome.end else { panic!("{:?} {:?}", outcome.end, outcome.findings) };
        counts[count as usize] += 1;
    }
    assert!(counts[1] > 0, "the handler has run before `main` gets the lock: {counts:?}");
}

#[test]
fn a_semaphore_that_the_handler_posts() {
    let text = handling(
        12,
        "  fn_addr s48 = f300
  fn_addr s32 = f1
  call s40 = f200(s8, s32) @2
  global_addr s32 = g91
  fn_addr s48 = f2
  call s56 = f104(s48, s32) @3
  call s40 = f105(s56) @4
  const s0:8 = 5",
    ) + r#"
fn f1 "posts" (s0:4) -> s8:0 frame 32 local {
  global_addr s16 = g91
  call s24 = f206(s16) @5
  return
}
fn f2 "thread" (s0:8) -> s0:0 frame 16 local {
  call s8 = f205(s0) @6
  return
}"#;
    for seed in 0..20 {
        let outcome = run_on(&text, seed, Disk::Any);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(5), vec![]));
    }
}
