//! Uninterpreted values.

use super::run_seeded;
use interp::run::RunEnd;
use interp::term::Origin;

/// Two tests of one value through memory, a copy and the opposite comparison agree in every run.
#[test]
fn branches_agree() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  call s4 = f111()
  const s8:8 = 16
  call s16 = f100(s8, s8)
  store *s16 + 4 = s4:4
  load s24:4 = *s16 + 4
  bin_imm gt i32 s28 = s4, 0
  bin_imm le i32 s29 = s24, 0
  zero s0:4
  branch s28, yes, no
yes:
  bin_imm add i32 s0 = s0, 1
no:
  branch s29, yes2, no2
yes2:
  bin_imm add i32 s0 = s0, 2
no2:
  return
}"#;
    let mut seen = [0; 4];
    for seed in 0..20 {
        let (outcome, _) = run_seeded(text, seed);
        let RunEnd::Returned(code) = outcome.end else { panic!("{:?}", outcome.end) };
        seen[code as usize] += 1;
        assert_eq!((outcome.uninterpreted, outcome.rests_on), (1, Some(Origin::Input)));
    }
    assert!(seen[0] == 0 && seen[3] == 0 && seen[1] > 0 && seen[2] > 0, "{seen:?}");
}

/// The program promises that it never gets to unreachable code, also behind a jump, in a function, and as the only other
/// case of a switch.
#[test]
fn no_branch_leads_to_unreachable_code() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  call s4 = f111()
  zero s0:4
  bin_imm gt i32 s28 = s4, 0
  branch s28, yes, no
yes:
  unreachable
no:
  call s8 = f111()
  bin_imm lt i32 s28 = s8, 5
  branch s28, yes2, no2
yes2:
  switch s8:4 {1: one, 2: one} else other
no2:
  const s32:4 = 1
  jump nowhere
nowhere:
  unreachable
one:
  call s12 = f111()
  bin_imm ne i32 s28 = s12, 7
  branch s28, last, calls
calls:
  call s40 = f1()
  unreachable
last:
  const s0:4 = 1
  return
other:
  unreachable
}
fn f1 "never" () -> s0:0 frame 16 { unreachable }"#;
    for seed in 0..20 {
        let (outcome, _) = run_seeded(text, seed);
        assert!(matches!(outcome.end, RunEnd::Returned(1)), "{:?}", outcome.end);
    }
}

#[test]
fn unknown_calls_pointers_and_loops() {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 {
  call s4 = f120() @4
  cast u32 -> u64 s8 = s4
  store *s8 + 0 = s4:4
  load s16:8 = *s8 + 8
  const s24:8 = 0
again:
  bin_imm add u64 s24 = s24, 1
  bin lt u64 s32 = s24, s16
  branch s32, again, done
done:
  switch s16:8 {1: one, 2: one} else one
one:
  const s0:4 = 3
  return
}"#;
    let (outcome, _) = run_seeded(text, 3);
    assert_eq!(outcome.end, RunEnd::Returned(3));
    assert_eq!(outcome.dropped_stores, 1);
    assert_eq!(outcome.unknown_calls.len(), 1);
    let (first, count) = outcome.sources.first().expect("one");
    assert_eq!(*count, outcome.uninterpreted);
    assert_eq!((first.site.0, first.origin), (4, Origin::Unknown(interp::ir::CauseId(0))));
}

/// What is behind an address that is not known is one object: read twice it is the same, by whatever way, and what was written
/// is there, until an unsupported call, or a store behind another such address.
#[test]
fn objects_behind_unknown_addresses() {
    let program = |between: &str| {
        format!(
            r#"
fn f0 "main" () -> s0:4 frame 80 {{
  call s4 = f120() @4
  cast u32 -> u64 s8 = s4
  call s68 = f120() @5
  cast u32 -> u64 s72 = s68
  load s16:4 = *s8 + 8
  ptr_add s24 = s8 + 4
  zero s0:4
  {between}
  load s20:4 = *s24 + 4
  bin eq u32 s32 = s16, s20
  branch s32, same, done
same:
  const s0:4 = 1
done:
  const s40:4 = 7
  store *s24 + 0 = s40:4
  load s44:4 = *s8 + 4
  bin_imm eq u32 s48 = s44, 7
  branch s48, kept, lost
kept:
  bin_imm add i32 s0 = s0, 2
lost:
  return
}}"#
        )
    };
    let seen = |between: &str| -> std::collections::BTreeSet<i64> {
        let ends = (0..24).map(|seed| run_seeded(&program(between), seed).0.end);
        ends.map(|end| if let RunEnd::Returned(code) = end { code } else { panic!("{end:?}") }).collect()
    };
    assert_eq!(seen(""), [3].into());
    assert_eq!(seen("call s60 = f120() @6"), [2, 3].into());
    assert_eq!(seen("store *s72 + 0 = s40:4"), [2, 3].into());
    assert_eq!(seen("store *s8 + 0 = s40:4"), [3].into());
}

/// What faults in an initialiser costs no more than the global's value, if there is a cause to name for it.
#[test]
fn globals_without_a_value() {
    let text = |lost: &str| {
        format!(
            r#"
fn f0 "main" () -> s0:4 frame 64 {{
  global_addr s8 = g0
  load s16:4 = *s8 + 0
  global_addr s8 = g1
  load s0:4 = *s8 + 0
  return
}}
fn f1 "init" () -> s0:4 frame 16 {{
  call s0 = f2()
  return
}}
fn f2 "faults" () -> s0:4 frame 16 {{
  zero s8:8
  load s0:4 = *s8 + 0
  return
}}
fn f3 "other" () -> s0:4 frame 16 {{
  global_addr s8 = g0
  const s0:4 = 7
  return
}}
global g0 "LOST" size 4 align 4 init f1 {lost}
global g1 "KEPT" size 4 align 4 init f3 lost c77
cause c77 "not computed"
"#
        )
    };
    let (outcome, _) = run_seeded(&text("lost c77"), 0);
    assert_eq!((outcome.end, outcome.uninterpreted), (RunEnd::Returned(7), 1));
    assert_eq!(outcome.rests_on, None);
    let (outcome, _) = run_seeded(&text(""), 0);
    assert!(matches!(outcome.end, RunEnd::Fault { .. }), "{:?}", outcome.end);
}
