//! Unwinding, catching, coroutines.

use super::{result, run_seeded};
use interp::run::RunEnd;

/// `f1` panics after it printed; `f2` prints when it is cleaned up.
pub(crate) const PANICS: &str = r#"
fn f1 "panics" (s0:8) -> s0:0 frame 32 {
  zero s16:16
  copy s16:8 = s0
  call s8 = f106(s16)
  unreachable
}
fn f2 "cleans" (s0:8) -> s0:0 frame 32 {
a:
  call s0 = f1(s0)
b:
  return
cleanup:
  call s0 = f3()
  unwind
  on_unwind a..b -> cleanup
}
fn f3 "print" () -> s0:0 frame 32 {
  const s0:4 = 2
  data_addr s8 = d0
  const s16:8 = 1
  call s24 = f108(s0, s8, s16)
  return
}
data d0 "c"
fn f4 "handler" (s0:8, s8:8) -> s0:0 frame 64 {
  call s16 = f107(s8)
  store *s0 + 0 = s16:8
  return
}
trap add_overflow f5
trap panic_in_cleanup f6
fn f5 "overflow" () -> s0:0 frame 16 { const s0:8 = 9 call s0 = f1(s0) unreachable }
fn f6 "in_cleanup" () -> s0:0 frame 16 { call s0 = f3() abort }
"#;

#[test]
fn a_panic_cleans_up_and_is_caught() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 33
  addr_of s16 = s8
  fn_addr s24 = f10
  fn_addr s32 = f4
  catch_unwind s40 = *s24, s16, *s32
  bin_imm mul i32 s40 = s40, 1000
  bin add i32 s0 = s40, s8
  return
}
fn f10 "body" (s0:8) -> s0:0 frame 16 {
  load s8:8 = *s0 + 0
  call s0 = f2(s8)
  return
}"#;
    let (outcome, out) = run_seeded(&format!("{text}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Returned(1033), "c"));
    let quiet = text.replace("call s0 = f2(s8)", "");
    assert_eq!(result(&format!("{quiet}{PANICS}")), 33);
}

#[test]
fn an_uncaught_panic_and_a_trap() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 16 {
a:
  const s0:1 = 255
  checked_imm add u8 s0 = s0, 1
b:
  return
c:
  call s0 = f3()
  unwind
  on_unwind a..b -> c
}"#;
    let (outcome, out) = run_seeded(&format!("{text}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Panicked, "c"));
    let in_cleanup = text.replace("call s0 = f3()\n", "const s0:8 = 1\n call s0 = f1(s0)\n");
    let (outcome, out) = run_seeded(&format!("{in_cleanup}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Aborted, "c"));
    let no_unwind = text.replace("frame 16 {", "frame 16 no_unwind {");
    let (outcome, out) = run_seeded(&format!("{no_unwind}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Aborted, "c"));
}

/// A generator of three numbers whose frame holds a local.
pub(crate) const GENERATOR: &str = r#"
fn f20 "body" (s0:8, s8:8) -> s24:4 frame 32 coroutine {
  const s16:4 = 1
again:
  bin_imm add i32 s16 = s16, 1
  suspend s8, again2, dropped
again2:
  bin_imm lt i32 s20 = s16, 3
  branch s20, again, done
done:
  bin add u64 s8 = s8, s8
  copy s24:4 = s8
  return
dropped:
  call s0 = f3()
  return
}
"#;

#[test]
fn a_coroutine_is_resumed_to_its_end() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  zero s8:8
  addr_of s16 = s8
  const s24:8 = 5
  zero s36:4
again:
  bin_imm add i32 s36 = s36, 1
  resume s0, s32 = *s16 + 0, f20, s24
  branch s32, done, again
done:
  bin_imm mul i32 s36 = s36, 100
  bin add i32 s0 = s0, s36
  bin add i32 s0 = s0, s8
  drop_coroutine *s16 + 0
  return
}"#;
    // Three resumptions, the argument twice, and a handle that says "returned".
    assert_eq!(result(&format!("{text}{GENERATOR}{PANICS}")), 311);
}

#[test]
fn coroutines_are_dropped() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  zero s8:8
  addr_of s16 = s8
  RESUME
  drop_coroutine *s16 + 0 captures f21
  copy s0:4 = s8
  return
}
fn f21 "captures" (s0:8) -> s0:0 frame 16 { call s0 = f3() call s0 = f3() return }"#;
    let suspended = text.replace("RESUME", "resume s0, s32 = *s16 + 0, f20, s24");
    let (outcome, out) = run_seeded(&format!("{suspended}{GENERATOR}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Returned(1), "c"));
    let unstarted = text.replace("RESUME", "");
    let (outcome, out) = run_seeded(&format!("{unstarted}{GENERATOR}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Returned(1), "cc"));
}

#[test]
fn a_panicking_coroutine_panics_its_resumer() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  zero s8:8
  addr_of s16 = s8
a:
  resume s0, s32 = *s16 + 0, f20, s24
b:
  return
c:
  copy s0:4 = s8
  call s0 = f122(s0)
  unwind
  on_unwind a..b -> c
}
fn f20 "body" (s0:8, s8:8) -> s24:4 frame 32 coroutine { call s0 = f2(s0) return }
"#;
    let (outcome, out) = run_seeded(&format!("{text}{PANICS}"), 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Exited(2), "c"));
}
