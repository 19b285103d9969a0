//! Threads that spin forever.

use super::{random::run_once, run_seeded, traces::run_with};
use interp::clock::ThreadId;
use interp::finding::{Action, FindingKind};
use interp::run::{Bound, Config, RunEnd, RunOutcome, Session};
use interp::trace::TraceEvent;

/// `main` starts one or two threads that run `f1` and then runs a loop with this body; `s8` is the address of a static
/// word, `s16` another one. `f1` waits forever to be unparked, or has a body of its own.
fn looping(threads: usize, body: &str, thread: &str) -> String {
    let start = "fn_addr s24 = f1 const s32:8 = 0 call s40 = f104(s24, s32) @1 ".repeat(threads);
    format!(
        r#"
fn f0 "main" () -> s0:4 frame 96 local {{
  {start}
  global_addr s8 = g0
  global_addr s16 = g1
  const s80:8 = 0
again:
  {body}
  jump again
}}
fn f1 "thread" (s0:8) -> s0:0 frame 96 local {{
  global_addr s8 = g0
  global_addr s16 = g1
  {thread}
  return
}}
fn f2 "init" () -> s0:16 frame 16 {{ zero s0:16 return }}
global g0 "FLAG" size 16 align 8 init f2 static
global g1 "OTHER" size 16 align 8 init f2 static
"#
    )
}

const WAITS: &str = "call s0 = f116(s16) @9";
const LOADS: &str = "atomic_load acquire s48:4 = *s8 @5";

fn outcome(threads: usize, body: &str, thread: &str) -> RunOutcome {
    run_seeded(&looping(threads, body, thread), 1).0
}

#[test]
fn a_thread_that_asks_the_same_forever() {
    for body in [LOADS, "call s0 = f102(s8) @5 call s0 = f103(s8) @6"] {
        let outcome = outcome(1, body, WAITS);
        assert_eq!(outcome.end, RunEnd::Livelock, "{body}");
        let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
        assert_eq!(finding.kind, FindingKind::SpinsForever);
        let threads: Vec<ThreadId> = finding.events.iter().map(|it| it.thread).collect();
        assert_eq!(threads, [ThreadId(0), ThreadId(1)]);
        assert!(matches!(finding.events[0].action, Action::Spins { .. }));
        assert!(matches!(finding.events[1].action, Action::WaitsPark { .. }));
        assert!(outcome.steps < 100_000, "{}", outcome.steps);
    }
}

#[test]
fn what_is_no_proof() {
    let bodies = [
        // It counts.
        "bin_imm add i64 s80 = s80, 1 atomic_load acquire s48:4 = *s8 @5",
        // It counts in memory.
        "atomic_rmw add relaxed s48:8 = *s8, s32 @5",
        // It reads the clock.
        "atomic_load acquire s48:4 = *s8 @5 call s56 = f113() @6",
        // It asks for an input.
        "atomic_load acquire s48:4 = *s8 @5 call s56 = f111() @6",
        // It allocates, and frees nothing.
        "atomic_load acquire s48:4 = *s8 @5 const s56:8 = 8 call s64 = f100(s56, s56) @6",
    ];
    for body in bodies {
        let body = format!("const s32:8 = 1 {body}");
        let outcome = outcome(1, &body, WAITS);
        assert!(matches!(outcome.end, RunEnd::Bound(Bound::Steps | Bound::Heap)), "{body}: {:?}", outcome.end);
        assert!(outcome.findings.is_empty(), "{body}");
    }
}

#[test]
fn an_idle_loop_is_no_finding() {
    let runs = (0..10).map(|seed| run_seeded(&looping(1, "const s48:4 = 0", WAITS), seed).0);
    let (ended, cut_off): (Vec<_>, Vec<_>) = runs.partition(|it| it.end == RunEnd::Livelock);
    // Nothing lets the other thread run where that did not come first.
    assert!(!ended.is_empty() && cut_off.iter().all(|it| it.end == RunEnd::Bound(Bound::Steps)));
    assert!(ended.iter().all(|it| it.findings.is_empty()));
}

#[test]
fn a_sleeper_may_end_it() {
    let sleeps = "const s24:8 = 1 const s32:4 = 0 sleep: call s0 = f112(s24, s32) @9 jump sleep";
    let outcome = outcome(1, LOADS, sleeps);
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Bound(Bound::Steps), vec![]));
}

#[test]
fn several_threads_that_spin() {
    let spins = "spin: atomic_load acquire s48:4 = *s16 @9 jump spin";
    let two = outcome(1, LOADS, spins);
    assert_eq!((two.end, two.findings.len()), (RunEnd::Livelock, 1));
    assert!(two.findings[0].events.iter().all(|it| matches!(it.action, Action::Spins { .. })));
    // They take turns to set and clear a flag: another order might let one of them through.
    let flips = "const s48:4 = 1 const s56:4 = 0 flip: atomic_store release *s16 = s48:4 @9 \
                 atomic_load acquire s64:4 = *s8 @10 atomic_store release *s16 = s56:4 @11 jump flip";
    let dance = outcome(1, LOADS, flips);
    assert_eq!((dance.end, dance.findings), (RunEnd::Bound(Bound::Steps), vec![]));
}

/// A thread that polls fills no trace: the steps before the loop stay in it.
#[test]
fn what_is_repeated_is_traced_once() {
    let stores = "const s48:4 = 1 atomic_store release *s16 = s48:4 @8";
    let outcome = run_with(&looping(1, LOADS, &format!("{stores} {WAITS}")), 1, true);
    let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
    let loads = finding.trace.iter().filter(|it| matches!(it.event, TraceEvent::Loads { .. })).count();
    assert!((1..8).contains(&loads), "{loads}");
    assert!(finding.trace.iter().any(|it| matches!(it.event, TraceEvent::Stores { .. })));
    assert!(matches!(finding.trace.last().map(|it| &it.event), Some(TraceEvent::Accesses { .. })));
}

#[test]
fn inlining_does_not_change_when_it_is_seen() {
    let helpers = r#"
fn f3 "is_set" (s0:8) -> s8:4 frame 32 { call s8 = f4(s0) @11 return }
fn f4 "load" (s0:8) -> s8:4 frame 64 { atomic_load acquire s8:4 = *s0 @12 const s32:8 = 7 return }
"#;
    // The loop's condition is asked twice, and all of it is in another function.
    for body in ["call s48 = f3(s8) @5 call s52 = f3(s16) @6", "call s48 = f4(s8) @5 call s52 = f3(s16) @6"] {
        let text = looping(1, body, WAITS) + helpers;
        let mut host = super::module(&text);
        let mut sessions = [0, 1, 2, 3, 5, 20, 100].map(Session::inlining_after);
        let mut livelocks = 0;
        for seed in 0..30 {
            let config = Config { seed, ..Config::default() };
            let outcomes: Vec<_> = sessions.iter_mut().map(|it| run_once(it, &mut host, &config)).collect();
            livelocks += u32::from(outcomes[0].0.end == RunEnd::Livelock);
            for other in &outcomes[1..] {
                assert_eq!(format!("{:?}", outcomes[0]), format!("{other:?}"), "seed {seed}, {body}");
            }
        }
        assert!(livelocks > 10, "{livelocks}");
    }
}
