//! Threads, locks and what is found about them.

use super::{module, random::run_once, run_module, run_seeded};
use interp::clock::ThreadId;
use interp::finding::{Action, FindingKind, Owner};
use interp::memory::Fault;
use interp::run::{Config, Reached, RunEnd, Session};
use interp::sched::PointKind;

/// Two threads add to a static under a lock, or without one.
pub(crate) fn counter(locked: bool) -> String {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 local {
  fn_addr s8 = f1
  const s16:8 = 0
  call s24 = f104(s8, s16) @1
  call s32 = f104(s8, s16) @2
  call s0 = f105(s24) @3
  call s0 = f105(s32) @4
  global_addr s40 = g0
  load s0:4 = *s40 + 8 @5
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 local {
  const s24:4 = 5
  global_addr s8 = g0
again:
  LOCK
  load s16:4 = *s8 + 8 @6
  bin_imm add i32 s16 = s16, 1
  store *s8 + 8 = s16:4 @7
  UNLOCK
  bin_imm sub i32 s24 = s24, 1
  bin_imm gt i32 s28 = s24, 0
  branch s28, again, done
done:
  return
}
fn f2 "init" () -> s0:16 frame 16 { zero s0:16 return }
global g0 "COUNTER" size 16 align 8 init f2 static
"#;
    let (lock, unlock) = if locked { ("call s0 = f102(s8) @8", "call s0 = f103(s8) @9") } else { ("", "") };
    text.replace("UNLOCK", unlock).replace("LOCK", lock)
}

#[test]
fn locked_counters_are_silent() {
    for seed in 0..30 {
        let (outcome, _) = run_seeded(&counter(true), seed);
        assert_eq!((outcome.end, outcome.findings, outcome.threads), (RunEnd::Returned(10), vec![], 3));
        let lock = outcome.reached.get(&(PointKind::Lock, interp::ir::FnId(1), interp::ir::Site(8)));
        assert!(matches!(lock, Some(Reached { count: 10, concurrent: 1.., behind: 0 })), "{lock:?}");
    }
}

#[test]
fn a_race_is_found_with_both_places() {
    let (outcome, _) = run_seeded(&counter(false), 1);
    assert_eq!(outcome.end, RunEnd::Returned(10));
    let race = &outcome.findings[0];
    assert_eq!(race.kind, FindingKind::DataRace);
    for event in &race.events {
        assert_eq!(event.stack.len(), 1);
        assert!(matches!(event.stack[0].site.0, 6 | 7));
        // Started by the model, called in main.
        assert_eq!(event.started.first().map(|entry| entry.func), Some(interp::ir::FnId(0)));
    }
    let Action::Write { object, size: 4, atomic: false, volatile: false } = race.events[0].action else {
        panic!("{:?}", race.events[0].action)
    };
    assert_eq!((object.owner, object.offset), (Owner::Global(interp::ir::GlobalId(0)), 8));
}

/// Two threads take two locks in opposite orders.
pub(crate) const INVERSION: &str = r#"
fn f0 "main" () -> s0:4 frame 64 {
  fn_addr s8 = f1
  const s16:8 = 0
  call s24 = f104(s8, s16) @1
  const s16:8 = 1
  call s32 = f104(s8, s16) @2
  call s0 = f105(s24) @3
  call s0 = f105(s32) @4
  zero s0:4
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 {
  global_addr s8 = g0
  ptr_add s16 = s8 + 8
  branch s0, forward, backward
forward:
  call s0 = f102(s8) @5
  call s0 = f102(s16) @6
  jump end
backward:
  call s0 = f102(s16) @7
  call s0 = f102(s8) @8
end:
  call s0 = f103(s16) @9
  call s0 = f103(s8) @10
  return
}
fn f2 "init" () -> s0:16 frame 16 { zero s0:16 return }
global g0 "LOCKS" size 16 align 8 init f2 static
"#;

#[test]
fn a_lock_cycle_is_found_and_replays() {
    let mut program = module(INVERSION);
    let mut deadlocks = 0;
    for seed in 0..40 {
        let (outcome, _) = run_module(&mut program, seed);
        if outcome.end == RunEnd::Deadlock {
            deadlocks += 1;
            let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
            assert_eq!((finding.kind, finding.events.len()), (FindingKind::LockCycle, 2));
            for event in &finding.events {
                assert!(matches!(event.action, Action::WaitsLock { .. }));
                assert_eq!(event.held.len(), 1);
                assert!(matches!(event.stack[0].site.0, 6 | 8));
                assert!(matches!(event.held[0].2[0].site.0, 5 | 7));
            }
            let (again, _) = run_module(&mut program, seed);
            assert_eq!((again.end, again.findings), (RunEnd::Deadlock, outcome.findings));
        } else {
            assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(0), vec![]));
        }
    }
    assert!((5..35).contains(&deadlocks), "{deadlocks}");
}

#[test]
fn a_thread_that_locks_twice_waits_for_itself() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 32 {
  addr_of s8 = s16
  call s0 = f102(s8) @1
  call s0 = f102(s8) @2
  return
}"#;
    let (outcome, _) = run_seeded(text, 0);
    assert_eq!(outcome.end, RunEnd::Deadlock);
    let finding = &outcome.findings[0];
    assert_eq!((finding.kind, finding.events.len()), (FindingKind::LockCycle, 1));
    let object = finding.events[0].held[0].1;
    assert_eq!((object.owner, object.offset), (Owner::Stack(ThreadId(0)), 16));
}

/// Main waits until the thread has set a flag; without the notification it may wait forever.
pub(crate) fn condvar(notify: bool) -> String {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  global_addr s40 = g0
  ptr_add s48 = s40 + 8
  fn_addr s8 = f1
  call s24 = f104(s8, s40) @1
  call s0 = f102(s40) @2
again:
  load s0:4 = *s40 + 16
  bin_imm eq i32 s4 = s0, 0
  branch s4, wait, done
wait:
  call s0 = f109(s48, s40) @3
  jump again
done:
  call s0 = f103(s40) @4
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 {
  ptr_add s8 = s0 + 8
  call s16 = f102(s0)
  const s16:4 = 7
  store *s0 + 16 = s16:4
  call s16 = f103(s0)
  NOTIFY
  return
}
fn f2 "init" () -> s0:24 frame 32 { zero s0:24 return }
global g0 "STATE" size 24 align 8 init f2 static
"#;
    text.replace("NOTIFY", if notify { "call s16 = f110(s8)" } else { "" })
}

#[test]
fn condition_variables() {
    for seed in 0..30 {
        let (outcome, _) = run_seeded(&condvar(true), seed);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(7), vec![]));
    }
    let mut stuck = 0;
    for seed in 0..30 {
        let (outcome, _) = run_seeded(&condvar(false), seed);
        if outcome.end == RunEnd::Deadlock {
            stuck += 1;
            assert_eq!(outcome.findings[0].kind, FindingKind::BlockedForever);
            assert!(matches!(outcome.findings[0].events[0].action, Action::WaitsCondvar { .. }));
        }
    }
    assert!(stuck > 0 && stuck < 30, "{stuck}");
}

#[test]
fn atomics_order_and_parking_wakes() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  global_addr s40 = g0
  fn_addr s8 = f1
  call s24 = f104(s8, s40) @1
  call s0 = f116(s40)
again:
  ptr_add s48 = s40 + 8
  atomic_load ORDER s0:4 = *s48
  branch s0, done, again
done:
  load s0:4 = *s40 + 16
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 {
  call s16 = f117(s0)
  const s16:4 = 7
  store *s0 + 16 = s16:4
  ptr_add s8 = s0 + 8
  atomic_store release *s8 = s16:4
  return
}
fn f2 "init" () -> s0:24 frame 32 { zero s0:24 return }
global g0 "STATE" size 24 align 8 init f2 static
"#;
    for seed in 0..20 {
        let (outcome, _) = run_seeded(&text.replace("ORDER", "acquire"), seed);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(7), vec![]));
        let (outcome, _) = run_seeded(&text.replace("ORDER", "relaxed"), seed);
        assert_eq!(outcome.findings.len(), 1);
    }
}

#[test]
fn sleepers_wake_in_order() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 64 {
  call s40 = f113()
  fn_addr s8 = f1
  const s16:8 = 10
  call s24 = f104(s8, s16)
  const s16:8 = 3
  zero s32:4
  call s0 = f112(s16, s32)
  call s0 = f105(s24)
  call s0 = f113()
  bin sub u64 s0 = s0, s40
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 { call s16 = f112(s0, s16) return }
"#;
    for seed in 0..5 {
        assert_eq!(run_seeded(text, seed).0.end, RunEnd::Returned(10));
    }
}

#[test]
fn readers_share_and_a_second_read_waits_behind_a_writer() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  addr_of s40 = s48
  fn_addr s8 = f1
  call s24 = f104(s8, s40) @1
  call s0 = f114(s40) @2
  call s0 = f114(s40) @3
  zero s0:4
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 { call s16 = f115(s0) @4 call s16 = f103(s0) @5 return }
"#;
    let ends: Vec<bool> = (0..30).map(|seed| run_seeded(text, seed).0.end == RunEnd::Deadlock).collect();
    assert!(ends.contains(&true) && ends.contains(&false), "{ends:?}");
}

#[test]
fn futexes() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 96 {
  global_addr s40 = g0
  fn_addr s8 = f1
  call s24 = f104(s8, s40) @1
  zero s64:16
  const s72:4 = 1000000000
  zero s48:4
again:
  atomic_load acquire s0:4 = *s40
  bin_imm eq i32 s4 = s0, 0
  branch s4, wait, done
wait:
  call s5 = f118(s40, s48, s64)
  jump again
done:
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 {
  const s16:4 = 7
  atomic_store release *s0 = s16:4
  call s16 = f119(s0)
  return
}
fn f2 "init" () -> s0:4 frame 32 { zero s0:4 return }
global g0 "STATE" size 4 align 4 init f2 static
"#;
    for seed in 0..30 {
        let (outcome, _) = run_seeded(text, seed);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(7), vec![]));
    }
}

/// A panic in a thread ends it; the others go on.
#[test]
fn a_panic_ends_its_thread() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  fn_addr s8 = f1
  const s16:8 = 10
  call s24 = f104(s8, s16)
  call s0 = f105(s24)
  const s0:4 = 3
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 48 { zero s32:16 call s16 = f106(s32) unreachable }
"#;
    let (outcome, _) = run_seeded(text, 0);
    assert_eq!((outcome.end, outcome.panicked), (RunEnd::Returned(3), vec![ThreadId(1)]));
}

/// Thread-locals belong to their thread, and their destructors run before it is joined.
#[test]
fn thread_locals() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  fn_addr s8 = f1
  const s16:8 = 10
  call s24 = f104(s8, s16)
  call s0 = f105(s24)
  global_addr s32 = g0
  load s0:4 = *s32 + 0
  global_addr s32 = g1
  load s4:4 = *s32 + 0
  bin add i32 s0 = s0, s4
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 {
  global_addr s8 = g0
  store *s8 + 0 = s0:4
  return
}
fn f2 "init" () -> s0:4 frame 16 { const s0:4 = 1 return }
fn f3 "destructors" () -> s0:0 frame 32 {
  global_addr s8 = g0
  load s0:4 = *s8 + 0
  global_addr s8 = g1
  store *s8 + 0 = s0:4
  return
}
global g0 "LOCAL" size 4 align 4 init f2 static thread_local
global g1 "SHARED" size 4 align 4 init f2 static
known run_thread_local_destructors f3
"#;
    let (outcome, _) = run_seeded(text, 0);
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(11), vec![]));
}

#[test]
fn threads_and_time_of_libc() {
    let text = r#"
fn f10 "pthread_create" (s0:8, s8:8, s16:8, s24:8) -> s32:4 frame 48 std = model <pthread_create> ()
fn f11 "pthread_join" (s0:8, s8:8) -> s16:4 frame 32 std = model <thread_join> ()
fn f12 "nanosleep" (s0:8, s8:8) -> s16:4 frame 32 std = model <nanosleep> ()
fn f13 "clock_gettime" (s0:4, s8:8) -> s16:4 frame 32 std = model <clock_gettime> ()
fn f0 "main" () -> s0:8 frame 96 {
  addr_of s8 = s64
  addr_of s24 = s80
  const s16:8 = 0
  call s4 = f13(s16, s24)
  load s72:8 = *s24 + 0
  const s48:8 = 5
  const s56:8 = 0
  addr_of s32 = s48
  fn_addr s40 = f1
  call s4 = f10(s8, s16, s40, s32)
  load s16:8 = *s8 + 0
  call s4 = f11(s16, s16)
  const s16:8 = 0
  call s4 = f13(s16, s24)
  load s0:8 = *s24 + 0
  bin sub u64 s0 = s0, s72
  return
}
fn f1 "thread" (s0:8) -> s8:8 frame 32 no_unwind { call s16 = f12(s0, s0) return }
"#;
    let (outcome, _) = run_seeded(text, 0);
    assert_eq!((outcome.end, outcome.threads, outcome.findings), (RunEnd::Returned(5), 2, vec![]));
}

#[test]
fn a_frame_that_has_ended() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 local {
  global_addr s8 = g0
  const s16:4 = 9
again:
  call s0 = f3(s8) @1
  bin_imm sub i32 s16 = s16, 1
  bin_imm gt i32 s20 = s16, 0
  branch s20, again, done
done:
  fn_addr s24 = f1
  call s32 = f104(s24, s8) @2
  call s0 = f105(s32) @3
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 local { load s8:8 = *s0 + 0 @4 load s16:4 = *s8 + 0 @5 return }
fn f2 "init" () -> s0:16 frame 16 { zero s0:16 return }
fn f3 "publish" (s0:8) -> s8:4 frame 64 { addr_of s16 = s32 store *s0 + 0 = s16:8 @6 const s8:4 = 0 return }
global g0 "ADDRESS" size 16 align 8 init f2 static
"#;
    let mut host = module(text);
    // Inlined or not, the frame of `publish` has ended when the thread reads from it.
    for mut session in [0, 2].map(Session::inlining_after) {
        let (outcome, _) = run_once(&mut session, &mut host, &Config::default());
        assert!(matches!(outcome.end, RunEnd::Fault { fault: Fault::Ended { .. }, .. }), "{outcome:?}");
    }
}
