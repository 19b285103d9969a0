//! Runs that go on behind a deadlock.

use super::module;
use interp::finding::{BehindWhat, Finding, FindingKind};
use interp::ir::FnId;
use interp::run::{Config, GoesBehind, RunEnd, RunOutcome, Session, run};
use interp::sched::{RandomWalk, Scheduler};

/// `main` calls `f1`, which waits for the lock at the start of a static that it holds; then it calls `f2`.
fn after_deadlock(second: &str, cleanup: &str) -> String {
    format!(
        r#"
fn f0 "main" () -> s0:4 frame 32 local {{
  call s0 = f1() @1
  call s0 = f2() @2
  zero s0:4
  return
}}
fn f1 "first" () -> s0:0 frame 32 local {{
  global_addr s8 = g0
  call s0 = f102(s8) @3
held:
  call s0 = f102(s8) @4
released:
  return
{cleanup}
}}
fn f2 "second" () -> s0:0 frame 64 local {{
  global_addr s8 = g0
  ptr_add s16 = s8 + 8
  {second}
  return
}}
fn f3 "init" () -> s0:16 frame 16 {{ zero s0:16 return }}
global g0 "LOCKS" size 16 align 8 init f3 static
"#
    )
}

const CLEANUP: &str = "unlock:\n  call s0 = f103(s8) @5\n  unwind\n  on_unwind held..released -> unlock";

fn outcome(text: &str, goes_behind: GoesBehind) -> RunOutcome {
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(0);
    let config = Config { goes_behind, ..Config::default() };
    let mut out: Vec<u8> = Vec::new();
    run(&mut Session::new(), &mut module(text), FnId(0), &[], &config, &mut scheduler, &mut out)
}

/// Where the first thread of each finding waits.
fn sites(findings: &[Finding]) -> Vec<u32> {
    assert!(findings.iter().all(|it| it.kind == FindingKind::LockCycle), "{findings:?}");
    findings.iter().map(|it| it.events[0].stack[0].site.0).collect()
}

#[test]
fn what_comes_after_the_call_that_hangs_is_found() {
    let text = after_deadlock("call s0 = f102(s16) @6\n call s0 = f102(s16) @7", CLEANUP);
    let ends = [outcome(&text, GoesBehind::Nothing), outcome(&text, GoesBehind::Deadlocks)];
    assert!(ends.iter().all(|it| it.end == RunEnd::Deadlock), "{ends:?}");
    assert_eq!(ends.map(|it| sites(&it.findings)), [vec![4], vec![4, 7]]);
    let outcome = outcome(&text, GoesBehind::Deadlocks);
    let behind = |index: usize| match &outcome.findings[index].behind {
        Some(BehindWhat::Deadlock(stack)) => Some(stack[0].site.0),
        Some(BehindWhat::Panic(stack)) => panic!("a panic: {stack:?}"),
        None => None,
    };
    assert_eq!((behind(0), behind(1)), (None, Some(4)));
}

#[test]
fn what_is_held_is_released() {
    let text = after_deadlock("call s0 = f102(s8) @6\n call s0 = f102(s8) @7", CLEANUP);
    assert_eq!(sites(&outcome(&text, GoesBehind::Deadlocks).findings), [4, 7]);
}

#[test]
fn a_lock_that_stays_held_is_no_further_deadlock() {
    let text = after_deadlock("call s0 = f102(s8) @6", "");
    assert_eq!(sites(&outcome(&text, GoesBehind::Deadlocks).findings), [4]);
}

#[test]
fn only_a_call_that_returns_nothing_can_be_left() {
    let second = "call s0 = f102(s16) @6\n call s0 = f102(s16) @7";
    let text = after_deadlock(second, "").replace("\"first\" () -> s0:0", "\"first\" () -> s0:4");
    let text = text.replace("released:\n", "released:\n  zero s0:4\n");
    assert_eq!(sites(&outcome(&text, GoesBehind::Deadlocks).findings), [4]);
}
