//! Arithmetic, memory, calls, globals.

use super::{module, result, run_module, run_seeded};
use interp::memory::Fault;
use interp::run::{Bound, RunEnd};

#[test]
fn a_loop_adds_up() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 16 {
  const s0:4 = 0
  const s4:4 = 10
again:
  bin add i32 s0 = s0, s4
  checked_imm sub i32 s4 = s4, 1
  bin_imm gt i32 s8 = s4, 0
  branch s8, again, done
done:
  return
}"#;
    assert_eq!(result(text), 55);
}

#[test]
fn recursion_and_depth() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 16 {
  const s8:8 = 20
  call s0 = f1(s8)
  return
}
fn f1 "fib" (s0:8) -> s8:8 frame 48 {
  bin_imm lt u64 s16 = s0, 2
  branch s16, small, large
small:
  copy s8:8 = s0
  return
large:
  bin_imm sub u64 s24 = s0, 1
  call s8 = f1(s24)
  bin_imm sub u64 s24 = s0, 2
  call s32 = f1(s24)
  bin add u64 s8 = s8, s32
  return
}"#;
    assert_eq!(result(text), 6765);
    let endless = r#"fn f0 "main" () -> s0:4 frame 16 { call s0 = f0() return }"#;
    assert_eq!(run_seeded(endless, 0).0.end, RunEnd::Bound(Bound::Depth));
    let spin = r#"fn f0 "main" () -> s0:4 frame 16 { a: jump a }"#;
    let (outcome, _) = run_seeded(spin, 0);
    assert_eq!(outcome.end, RunEnd::Bound(Bound::Steps));
}

#[test]
fn heap_and_faults() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  call s16 = f100(s8, s8)
  const s0:4 = 7
  store *s16 + 4 = s0:4
  const s24:8 = 64
  call s16 = f121(s16, s8, s8, s24)
  load s0:4 = *s16 + 4
  call s0 = f101(s16, s24, s8)
  load s32:4 = *s16 + 4
  return
}"#;
    let (outcome, _) = run_seeded(text, 0);
    assert!(matches!(outcome.end, RunEnd::Fault { fault: Fault::Freed { .. }, .. }), "{:?}", outcome.end);
    let null = r#"fn f0 "main" () -> s0:4 frame 32 { const s8:8 = 0 store *s8 + 0 = s0:4 @5 return }"#;
    let (outcome, _) = run_seeded(null, 0);
    let fault = Fault::Null { addr: 0 };
    assert_eq!(outcome.end, RunEnd::Fault { fault, func: interp::ir::FnId(0), site: interp::ir::Site(5) });
}

#[test]
fn output_vtables_and_function_pointers() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:4 = 1
  data_addr s16 = d0
  const s24:8 = 5
  call s32 = f108(s8, s16, s24)
  vtable_addr s40 = v0
  call_virtual s0 = *s40[0](s8)
  call_virtual s48 = *s40[3](s8)
  fn_addr s56 = f1
  call_ptr s0 = *s56(s48)
  load s52:4 = *s40 + 8
  bin add i32 s0 = s0, s52
  return
}
fn f1 "double" (s0:4) -> s4:4 frame 16 { bin add i32 s4 = s0, s0 return }
vtable v0 "T" size 100 align 4 [f1]
data d0 "hello"
"#;
    let (outcome, out) = run_seeded(text, 0);
    assert_eq!((outcome.end, &*out), (RunEnd::Returned(104), "hello"));
}

#[test]
fn globals_run_once_and_may_refer_to_each_other() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 32 {
  global_addr s8 = g0
  load s0:4 = *s8 + 0
  checked_imm add i32 s0 = s0, 1
  store *s8 + 0 = s0:4
  global_addr s16 = g0
  load s0:4 = *s16 + 0
  return
}
fn f1 "init" () -> s0:4 frame 32 {
  global_addr s8 = g1
  load s16:8 = *s8 + 0
  load s0:4 = *s16 + 0
  return
}
fn f2 "init_ref" () -> s0:8 frame 32 {
  const s16:4 = 41
  addr_of s0 = s16
  return
}
global g0 "A" size 4 align 4 init f1 static
global g1 "B" size 8 align 8 init f2
"#;
    assert_eq!(result(text), 42);
}

#[test]
fn locations_of_instructions() {
    // `here` asks for its own place also where `caller_location` asks for the caller's.
    let text = r#"
fn f0 "main" () -> s0:8 frame 48 {
  here s8 @1
  here s16 @1
  here s24 @2
  call s32 = f1() @2
  bin eq u64 s40 = s8, s16
  bin eq u64 s41 = s8, s24
  bin eq u64 s42 = s24, s32
  zero s0:8
  copy s0:3 = s40
  return
}
fn f1 "inner" () -> s0:8 frame 16 track_caller { here s0 @2 return }
"#;
    assert_eq!(result(text), 1);
}

#[test]
fn locations_of_callers() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 32 {
  call s8 = f1() @1
  call s16 = f1() @2
  call s0 = f2()
  bin eq u64 s24 = s8, s16
  zero s0:8
  copy s0:1 = s24
  return
}
fn f1 "outer" () -> s0:8 frame 16 track_caller { call s0 = f2() @3 return }
fn f2 "inner" () -> s0:8 frame 16 track_caller { caller_location s0 return }
"#;
    assert_eq!(result(text), 0);
    let mut again = module(text);
    assert_eq!(run_module(&mut again, 1).0.end, RunEnd::Returned(0));
}

#[test]
fn malformed_code_ends_the_run() {
    let mut host = interp::text::parse(
        r#"
fn f0 "main" () -> s0:4 frame 16 { call s0 = f1() return }
fn f1 "bad" () -> s0:4 frame 16 { copy s100:4 = s0 return }
"#,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let bad = RunEnd::Fault { fault: Fault::BadCode, func: interp::ir::FnId(1), site: interp::ir::Site::NONE };
    assert_eq!(run_module(&mut host, 0).0.end, bad);
}
