//! Which panic of a run is reported, if one is left that nobody handles.

use super::control::PANICS;
use super::{module, run_module};
use interp::finding::{Action, Finding, FindingKind};
use interp::run::{Raised, RunEnd, RunOutcome};

/// `f10` raises a panic at site 7, which `f11` catches; `f12` at site 8, as a thread or called. `main` is to be added.
const CODE: &str = r#"
fn f10 "raises" (s0:8) -> s0:0 frame 16 {
  const s8:8 = 7
  call s0 = f1(s8) @7
  return
}
fn f11 "catches" (s0:8) -> s0:0 frame 64 {
  zero s8:8
  addr_of s16 = s8
  fn_addr s24 = f10
  fn_addr s32 = f4
  catch_unwind s40 = *s24, s16, *s32
  return
}
fn f12 "raises_too" (s0:8) -> s0:0 frame 16 {
  const s8:8 = 8
  call s0 = f1(s8) @8
  return
}
fn f13 "nothing" (s0:8) -> s0:0 frame 16 { return }
fn f14 "raises_again" (s0:8) -> s0:0 frame 16 {
  const s8:8 = 7
  call s0 = f1(s8) @9
  return
}
"#;

/// Runs a `main` that starts a thread at first; gives the sites of the panics that it reports, and the outcome.
fn reported(thread: &str, main: &str) -> (Vec<u32>, RunOutcome) {
    let start = format!(
        "fn f0 \"main\" () -> s0:4 frame 64 {{\n  fn_addr s8 = {thread}\n  zero s16:8\n  call s24 = f104(s8, s16) @1\n  \
         {main}\n  zero s0:4\n  return\n}}"
    );
    let (outcome, _) = run_module(&mut module(&format!("{start}{CODE}{PANICS}")), 0);
    let panics = outcome.findings.iter().filter(|it| it.kind == FindingKind::EntryPanicked);
    let sites = panics.map(|it| it.events[0].stack[1].site.0).collect();
    (sites, outcome)
}

#[test]
fn a_panic_that_is_caught_is_not_reported() {
    let (sites, outcome) = reported("f13", "call s0 = f11(s16) @2\n  call s0 = f11(s16) @3");
    assert_eq!((sites, outcome.raised.places.len(), outcome.end), (vec![], 1, RunEnd::Returned(0)));
}

#[test]
fn a_panic_that_ends_the_program_is_reported_and_not_one_that_was_caught_before() {
    let (sites, outcome) = reported("f13", "call s0 = f11(s16) @2\n  call s0 = f12(s16) @3");
    assert_eq!((sites, outcome.raised.places.len(), outcome.end), (vec![8], 1, RunEnd::Panicked));
    // Another thread caught it.
    let (sites, outcome) = reported("f11", "call s0 = f105(s24) @2\n  call s0 = f12(s16) @3");
    assert_eq!((sites, outcome.end), (vec![8], RunEnd::Panicked));
}

#[test]
fn a_caught_panic_that_is_raised_again_is_reported_where_it_was_raised_first() {
    let (sites, outcome) = reported("f13", "call s0 = f11(s16) @2\n  call s0 = f14(s16) @3");
    assert_eq!((sites, outcome.raised.places.len(), outcome.end), (vec![7], 1, RunEnd::Panicked));
}

#[test]
fn a_thread_that_panics_is_reported_unless_somebody_waits_for_it() {
    let (sites, outcome) = reported("f12", "call s0 = f105(s24) @2");
    assert_eq!((sites, outcome.end), (vec![], RunEnd::Returned(0)));
    // It may explain what comes after its end in the thread that waits.
    let (sites, outcome) = reported("f12", "call s0 = f105(s24) @2\n  call s0 = f10(s16) @3");
    assert_eq!((sites, outcome.end), (vec![8, 7], RunEnd::Panicked));
    let is_handled = |finding: &Finding| finding.events[0].action == Action::Panics { is_handled: true };
    assert_eq!(outcome.findings.iter().map(is_handled).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn before_a_second_thread_is_started_nothing_is_reported() {
    let text = format!("fn f0 \"main\" () -> s0:4 frame 16 {{\n  call s0 = f10(s0) @1\n  return\n}}{CODE}{PANICS}");
    let (outcome, _) = run_module(&mut module(&text), 0);
    assert_eq!((outcome.findings, outcome.raised, outcome.end), (vec![], Raised::default(), RunEnd::Panicked));
}
