//! Calls of methods that threads may not make unordered on one object.

use super::run_seeded;
use interp::finding::{Action, Finding, FindingKind, Owner};
use interp::ir::FnId;
use interp::run::RunEnd;

/// Two threads each call a method of the object in a static; `FIRST` and `SECOND` are what they do.
fn two_calls(first: &str, second: &str) -> String {
    let text = r#"
fn f0 "main" () -> s0:4 frame 64 local {
  fn_addr s8 = f1
  const s16:8 = 0
  call s24 = f104(s8, s16) @1
  global_addr s40 = g0
  SECOND
  call s0 = f105(s24) @3
  zero s0:4
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 32 local {
  global_addr s40 = g0
  FIRST
  return
}
fn f3 "Vec::push" (s0:8) -> s0:0 frame 32 std api 0 write {
  load s8:8 = *s0 + 0 @30
  bin_imm add u64 s8 = s8, 1
  store *s0 + 0 = s8:8 @31
  return
}
fn f4 "Vec::len" (s0:8) -> s8:8 frame 32 std api 0 { load s8:8 = *s0 + 0 @40 return }
fn f5 "Rc::clone" (s0:8) -> s8:0 frame 32 std api 1 write through_handle { return }
fn f6 "Cell::set" (s0:8) -> s8:0 frame 32 std api 2 write { return }
fn f7 "extend" (s0:8) -> s8:0 frame 32 std { call s8 = f3(s0) @70 return }
fn f8 "get_or_init" (s0:8) -> s8:0 frame 32 std api 3 { store *s0 + 8 = s0:8 @80 return }
fn f9 "Log::add" (s0:8) -> s0:0 frame 32 local { call s0 = f3(s0) @90 return }
fn f2 "init" () -> s0:16 frame 16 { zero s0:16 return }
global g0 "LOG" size 16 align 8 init f2 static
"#;
    let text = text.replace("frame 32 local {\n  global_addr s40", "frame 64 local {\n  global_addr s40");
    text.replace("FIRST", first).replace("SECOND", second)
}

/// What all seeds find, each kind once.
fn findings(first: &str, second: &str) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for seed in 0..20 {
        let (outcome, _) = run_seeded(&two_calls(first, second), seed);
        assert_eq!(outcome.end, RunEnd::Returned(0));
        found.extend(outcome.findings);
    }
    found
}

fn rules(findings: &[Finding]) -> Vec<FindingKind> {
    let mut rules: Vec<FindingKind> = findings.iter().map(|finding| finding.kind).collect();
    rules.sort();
    rules.dedup();
    rules
}

const PUSH: &str = "call s0 = f3(s40) @10";
const LEN: &str = "call s0 = f4(s40) @11";

#[test]
fn a_violation_absorbs_the_races_in_its_calls() {
    for (first, second) in [(PUSH, PUSH), (PUSH, LEN), (LEN, PUSH)] {
        let found = findings(first, second);
        assert_eq!(rules(&found), [FindingKind::ThreadSafetyViolation], "{first} {second}");
        assert_eq!(found.len(), 20);
        for event in found.iter().flat_map(|finding| &finding.events) {
            let Action::Calls { object, func, write } = event.action else { panic!("{:?}", event.action) };
            assert_eq!((object.owner, object.offset), (Owner::Global(interp::ir::GlobalId(0)), 0));
            assert_eq!(write, func == FnId(3));
            // The call stands in the nearest code outside std.
            assert!(matches!(event.stack[0].site.0, 10 | 11) && event.stack[0].is_local);
        }
    }
}

#[test]
fn reads_and_ordered_calls_are_silent() {
    assert_eq!(findings(LEN, LEN), vec![]);
    assert_eq!(findings("", PUSH), vec![]);
    let locked = "ptr_add s48 = s40 + 8\n call s0 = f102(s48)\n call s0 = f3(s40) @10\n call s0 = f103(s48)";
    assert_eq!(findings(locked, locked), vec![]);
    let joined = "call s0 = f105(s24)\n call s0 = f3(s40) @10";
    assert_eq!(findings(PUSH, joined), vec![]);
}

#[test]
fn only_the_outermost_call_counts() {
    let through = "call s0 = f7(s40) @12";
    assert_eq!(rules(&findings(through, PUSH)), [FindingKind::DataRace]);
    let own = "call s0 = f9(s40) @13";
    assert_eq!(rules(&findings(own, own)), [FindingKind::ThreadSafetyViolation]);
}

#[test]
fn families_and_handles() {
    // Objects of two types have one address.
    assert_eq!(findings(PUSH, "call s0 = f6(s40) @14"), vec![]);
    // Two handles of one object.
    let handle = "addr_of s48 = s56\n bin_imm add u64 s56 = s40, 0\n call s0 = f5(s48) @15";
    assert_eq!(rules(&findings(handle, handle)), [FindingKind::ThreadSafetyViolation]);
    // A handle without an object.
    let dangling = "addr_of s48 = s56\n const s56:8 = 18446744073709551615\n call s0 = f5(s48) @15";
    assert_eq!(findings(dangling, dangling), vec![]);
}

#[test]
fn a_race_between_two_reading_calls_is_a_violation() {
    let found = findings("call s0 = f8(s40) @16", "call s0 = f8(s40) @17");
    assert_eq!(rules(&found), [FindingKind::ThreadSafetyViolation]);
    assert!(found.iter().all(|finding| finding.events.len() == 2));
}
