//! Loops in the machine's register form and as an operand stack would run them: instructions and time per iteration
//! (decision 2). `cargo bench --bench operand_stack`.
//!
//! An operand stack pushes a copy of each operand, replaces them by the result and pops that into a local. Here its
//! entries are slots of the frame, so both forms run on one machine, with the same cost per instruction.

#![allow(clippy::print_stdout, reason = "a table for people")]

use interp::{
    ir::FnId,
    run::{Config, RunEnd, Session, run},
    sched::{RandomWalk, Scheduler as _},
    text::parse,
};
use std::time::Instant;

const ITERATIONS: u64 = 300_000;
const ROUNDS: usize = 7;

/// `while i < n { sum += i; i += 1 }`; locals: `sum` at 0, `i` at 8, `n` at 16.
const SUM: [&str; 2] = [
    "again:
  bin lt u64 s24 = s8, s16
  branch s24, body, done
body:
  bin add u64 s0 = s0, s8
  bin_imm add u64 s8 = s8, 1
  jump again",
    "again:
  copy s32:8 = s8
  copy s40:8 = s16
  bin lt u64 s32 = s32, s40
  branch s32, body, done
body:
  copy s32:8 = s0
  copy s40:8 = s8
  bin add u64 s32 = s32, s40
  copy s0:8 = s32
  copy s32:8 = s8
  const s40:8 = 1
  bin add u64 s32 = s32, s40
  copy s8:8 = s32
  jump again",
];

/// `while i < n { sum = (sum ^ i) * 31 + i; i += 1 }`: intermediate results stay on the stack.
const MIX: [&str; 2] = [
    "again:
  bin lt u64 s24 = s8, s16
  branch s24, body, done
body:
  bin xor u64 s24 = s0, s8
  bin_imm mul u64 s24 = s24, 31
  bin add u64 s0 = s24, s8
  bin_imm add u64 s8 = s8, 1
  jump again",
    "again:
  copy s32:8 = s8
  copy s40:8 = s16
  bin lt u64 s32 = s32, s40
  branch s32, body, done
body:
  copy s32:8 = s0
  copy s40:8 = s8
  bin xor u64 s32 = s32, s40
  const s40:8 = 31
  bin mul u64 s32 = s32, s40
  copy s40:8 = s8
  bin add u64 s32 = s32, s40
  copy s0:8 = s32
  copy s32:8 = s8
  const s40:8 = 1
  bin add u64 s32 = s32, s40
  copy s8:8 = s32
  jump again",
];

/// Instructions and nanoseconds per iteration, and the result.
fn measure(body: &str) -> (f64, f64, i64) {
    let text = format!(
        "fn f0 \"main\" () -> s0:8 frame 64 {{
  const s0:8 = 0
  const s8:8 = 0
  const s16:8 = {ITERATIONS}
{body}
done:
  return
}}"
    );
    let mut module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    module.verify().unwrap_or_else(|errors| panic!("{errors:?}"));
    let config = Config { max_steps: u64::MAX, ..Config::default() };
    let mut best = f64::MAX;
    let mut result = (0, 0);
    for _ in 0..ROUNDS {
        let mut scheduler = RandomWalk::new();
        scheduler.begin_run(0);
        let began = Instant::now();
        let mut out: Vec<u8> = Vec::new();
        let outcome = run(&mut Session::new(), &mut module, FnId(0), &[], &config, &mut scheduler, &mut out);
        best = best.min(began.elapsed().as_secs_f64());
        let RunEnd::Returned(value) = outcome.end else { panic!("{:?}", outcome.end) };
        result = (outcome.steps, value);
    }
    let each = |total: f64| total / ITERATIONS as f64;
    (each(result.0 as f64), each(best * 1e9), result.1)
}

fn main() {
    println!("{:6} {:>30} {:>30} {:>12}", "loop", "register form", "operand stack", "stack/register");
    for (name, [register, stack]) in [("sum", SUM), ("mix", MIX)] {
        let (one, other) = (measure(register), measure(stack));
        assert_eq!(one.2, other.2, "both compute the same");
        let shown = |it: &(f64, f64, i64)| format!("{:.1} instructions, {:.1} ns", it.0, it.1);
        let ratio = format!("{:.1}, {:.1}", other.0 / one.0, other.1 / one.1);
        println!("{name:6} {:>30} {:>30} {ratio:>12}", shown(&one), shown(&other));
    }
}
