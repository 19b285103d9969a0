//! Memory that was never written.

use super::{result, run_seeded};
use interp::run::RunEnd;
use interp::term::Origin;

#[track_caller]
fn uninit(text: &str) -> u64 {
    let (outcome, _) = run_seeded(text, 1);
    assert!(matches!(outcome.end, RunEnd::Returned(_)), "{:?}", outcome.end);
    assert!(outcome.sources.keys().all(|it| it.origin == Origin::Uninit), "{:?}", outcome.sources);
    assert_eq!(outcome.sources.values().sum::<u64>(), outcome.uninterpreted);
    outcome.uninterpreted
}

/// A move of what was never written is no use of it.
#[test]
fn moves_carry_it() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 32
  call s16 = f100(s8, s8)
  load s24:8 = *s16 + 0
  copy s32:8 = s24
  store *s16 + 8 = s32:8
  copy_mem *s16 + 16 = *s16 + 0, 16
  const s0:4 = 7
  store *s16 + 20 = s0:4
  load s0:4 = *s16 + 20
  return
}"#;
    assert_eq!(uninit(text), 0);
    assert_eq!(result(text), 7);
}

/// A value read twice is one value, and a branch on it rests on it.
#[test]
fn a_use_is_counted() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  call s16 = f100(s8, s8)
  store *s16 + 0 = s8:4
  load s24:4 = *s16 + 4
  bin_imm eq u32 s32 = s24, 5
  load s36:4 = *s16 + 4
  branch s32, yes, no
yes:
  const s0:4 = 1
  return
no:
  const s0:4 = 2
  return
}"#;
    assert_eq!(uninit(text), 1);
    let (outcome, _) = run_seeded(text, 1);
    assert_eq!(outcome.rests_on, Some(Origin::Uninit));
}

/// Growing keeps what is known and adds what is not.
#[test]
fn growing_keeps_what_is_known() {
    let text = |offset: u32| {
        format!(
            r#"
fn f0 "main" () -> s0:4 frame 96 {{
  const s8:8 = 8
  call s16 = f100(s8, s8)
  const s24:8 = 5
  store *s16 + 0 = s24:8
  const s32:8 = 16
  call s40 = f121(s16, s8, s8, s32)
  load s48:4 = *s40 + {offset}
  bin_imm add u32 s0 = s48, 1
  return
}}"#
        )
    };
    assert_eq!((uninit(&text(0)), result(&text(0))), (0, 6));
    assert_eq!(uninit(&text(8)), 1);
}

#[test]
fn zeroed_memory_is_known() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  call s16 = f10(s8, s8)
  load s24:4 = *s16 + 4
  bin_imm add u32 s0 = s24, 3
  return
}
fn f10 "alloc_zeroed" (s0:8, s8:8) -> s16:8 frame 32 std = model <alloc_zeroed> ()
"#;
    assert_eq!((uninit(text), result(text)), (0, 3));
}

/// Comparisons and atomics read memory without a copy in a slot.
#[test]
fn direct_reads_are_counted() {
    let compare = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  call s16 = f100(s8, s8)
  store *s16 + 0 = s8:8
  ptr_add s24 = s16 + 8
  const s32:8 = 8
  compare_bytes s0 = *s16, *s24, s32
  return
}"#;
    assert_eq!(uninit(compare), 1);
    let atomic = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  call s16 = f100(s8, s8)
  atomic_load seq_cst s24:4 = *s16
  bin_imm add u32 s0 = s24, 1
  return
}"#;
    assert_eq!(uninit(atomic), 1);
}

/// What is printed without being known stands there as one `?` a byte, whether it was never written or comes from outside.
#[test]
fn unknown_bytes_are_printed_as_question_marks() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  const s8:8 = 16
  const s16:8 = 1
  call s24 = f100(s8, s16)
  const s32:4 = 0x6261
  store *s24 + 0 = s32:2
  call s4 = f111()
  store *s24 + 2 = s4:4
  const s32:4 = 0x64
  store *s24 + 6 = s32:1
  const s40:4 = 1
  const s48:8 = 8
  call s56 = f108(s40, s24, s48)
  zero s0:4
  return
}"#;
    let (outcome, output) = run_seeded(text, 0);
    assert_eq!(outcome.end, RunEnd::Returned(0));
    assert_eq!(output, "ab????d?");
}
