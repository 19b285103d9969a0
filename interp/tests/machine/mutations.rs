//! Whatever the code is, a run ends: the machine itself never panics.

use super::concurrency::{INVERSION, condvar, counter};
use super::control::{GENERATOR, PANICS};
use super::{FnId, PRELUDE, number_models};
use interp::rng::Rng;
use interp::run::{Config, RunEnd, Session, run};
use interp::sched::{RandomWalk, Scheduler};
use std::collections::BTreeSet;

const COROUTINE: &str = r#"
fn f0 "main" () -> s0:4 frame 64 {
  zero s8:8
  addr_of s16 = s8
  call s24 = f111()
  fn_addr s40 = f10
  fn_addr s48 = f4
  catch_unwind s56 = *s40, s16, *s48
  drop_coroutine *s16 + 0 captures f10
  return
}
fn f10 "resumes" (s0:8) -> s0:0 frame 32 {
a:
  resume s8, s16 = *s0 + 0, f20, s0
  resume s8, s16 = *s0 + 0, f20, s0
  checked add u32 s8 = s8, s16 u32
  call s8 = f2(s0)
b:
  return
c:
  call s8 = f120()
  unwind
  on_unwind a..b -> c
}
"#;

/// Replaces one number in the text by another.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let starts: Vec<usize> = text
        .match_indices(|c: char| c.is_ascii_digit())
        .map(|(at, _)| at)
        .filter(|at| !text[..*at].ends_with(|c: char| c.is_ascii_digit()))
        .collect();
    let start = starts[rng.index(starts.len())];
    let rest = &text[start..];
    let end = start + rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = match rng.below(4) {
        0 => u64::from(rng.below(4)),
        1 => u64::from(rng.below(16)) * 8,
        2 => u64::from(rng.below(130)),
        _ => rng.next_u64() >> rng.below(64),
    };
    format!("{}{number}{}", &text[..start], &text[end..])
}

#[test]
fn mutated_programs_end() {
    let programs = [counter(true), INVERSION.to_owned(), condvar(true), format!("{COROUTINE}{GENERATOR}{PANICS}")];
    let mut rng = Rng::new(5);
    let mut ends = BTreeSet::new();
    for round in 0..MUTANTS {
        let mut text = programs[round % programs.len()].clone();
        for _ in 0..1 + rng.below(4) {
            text = mutate(&text, &mut rng);
        }
        let Ok(mut host) = interp::text::parse(&number_models(&format!("{text}{PRELUDE}"))) else {
            continue;
        };
        let config = Config { prefix_steps: 5000, max_steps: 5000, heap_bytes: 1 << 16, ..Config::default() };
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(round as u64);
        let mut out: Vec<u8> = Vec::new();
        let outcome = run(&mut Session::new(), &mut host, FnId(0), &[], &config, &mut scheduler, &mut out);
        ends.insert(match outcome.end {
            RunEnd::Returned(_) => "returned",
            RunEnd::Fault { .. } => "fault",
            RunEnd::Bound(_) => "bound",
            RunEnd::Deadlock => "deadlock",
            RunEnd::Livelock => "livelock",
            RunEnd::WaitsForOutside => "silence",
            RunEnd::Panicked | RunEnd::Exited(_) | RunEnd::Aborted => "ended",
            RunEnd::NoTrapFn(_) | RunEnd::UnknownCallee | RunEnd::Cancelled => "other",
        });
    }
    assert!(ends.len() >= 5, "{ends:?}");
}

const MUTANTS: usize = 3_000;
