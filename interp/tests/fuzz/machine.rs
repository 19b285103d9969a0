//! Programs that mean nothing, of code that the verifier lets pass and calls of every model, under every strategy.

use super::{code, peak_mib, watched};
use interp::ir::FnId;
use interp::memory::Fault;
use interp::opt::optimize;
use interp::rng::Rng;
use interp::run::{Config, GoesBehind, Jitter, RunEnd, RunOutcome, Session, run};
use interp::sched::{Hints, Strategy};
use interp::term::GuessOverride;
use interp::text::{Module, parse};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Programs tried.
const PROGRAMS: u64 = 3_000;
/// Runs of each.
const RUNS: u64 = 3;
/// What the process may take at most, in MiB: a run has a heap of 1 MiB and eight stacks of 64 KiB, and what the detectors
/// keep of each access.
const MAX_MIB: u64 = 512;

fn module(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = module.verify() {
        panic!("{errors:?}\n{text}");
    }
    module
}

fn config(seed: u64, strategy: Strategy) -> Config {
    let mut rng = Rng::with_stream(seed, 3);
    Config {
        seed,
        beginning_points: rng.below(3),
        concurrent_seed: rng.chance(1, 2).then(|| rng.next_u64()),
        prefix_steps: 1_000 + u64::from(rng.below(8_000)),
        max_steps: 1_000 + u64::from(rng.below(8_000)),
        heap_bytes: 1 << (10 + rng.below(11)),
        stack_bytes: 1_000 + rng.below(64_000) as usize,
        max_threads: 1 + rng.below(8) as usize,
        max_depth: 1 + rng.below(60) as usize,
        trace: rng.chance(1, 2),
        goes_behind: [GoesBehind::Nothing, GoesBehind::Deadlocks, GoesBehind::Panics][rng.index(3)],
        forced_choices: Vec::new(),
        wake_ups: strategy.wake_ups(),
        jitter: if rng.chance(1, 2) { Jitter::USUAL } else { Jitter::NONE },
        guess_override: if rng.chance(1, 2) { GuessOverride::All } else { GuessOverride::None },
    }
}

fn run_once(session: &mut Session, host: &mut Module, config: &Config, strategy: Strategy) -> (RunOutcome, Vec<u8>) {
    let mut scheduler = strategy.scheduler(&Hints { points: 20, kinds: &[] });
    scheduler.begin_run(config.seed);
    let mut out: Vec<u8> = Vec::new();
    let outcome = run(session, host, FnId(0), &[], config, &mut scheduler, &mut out);
    (outcome, out)
}

fn kind(end: &RunEnd) -> &'static str {
    match end {
        RunEnd::Returned(_) => "returned",
        RunEnd::Fault { fault, .. } => match fault {
            Fault::Null { .. } => "null",
            Fault::Freed { .. } => "freed",
            Fault::Ended { .. } => "ended",
            Fault::OutOfRange { .. } => "out of range",
            Fault::ReadOnly { .. } => "read-only",
            Fault::NotAFunction { .. } => "not a function",
            Fault::BadFree { .. } => "bad free",
            Fault::Unreachable => "unreachable",
            Fault::BadUnlock { .. } => "bad unlock",
            Fault::GlobalInit => "global's initialiser",
            Fault::BadCoroutine { .. } => "bad coroutine",
            Fault::BadCode => "bad code",
        },
        RunEnd::Bound(_) => "bound",
        RunEnd::Deadlock => "deadlock",
        RunEnd::Livelock => "livelock",
        RunEnd::WaitsForOutside => "silence",
        RunEnd::Panicked => "panicked",
        RunEnd::Exited(_) => "exited",
        RunEnd::Aborted => "aborted",
        RunEnd::NoTrapFn(_) => "no trap function",
        RunEnd::UnknownCallee => "unknown callee",
        RunEnd::Cancelled => "cancelled",
    }
}

/// All runs of the program of a number; how they ended.
fn runs(number: u64) -> Vec<(&'static str, usize)> {
    let text = code::random(number);
    let mut host = module(&text);
    assert_eq!(module(&host.to_string()), host, "program {number}\n{text}");
    let mut short = host.clone();
    for function in short.functions.values_mut() {
        optimize(Rc::make_mut(function), code::regions());
    }
    assert_eq!(short.verify(), Ok(()), "program {number}\n{text}");
    let mut ends = Vec::new();
    let mut plain = Session::inlining_after(0);
    let mut inlining = Session::inlining_after(2);
    for seed in 0..RUNS {
        let strategy = Strategy::ALL[(number + seed) as usize % Strategy::ALL.len()];
        let config = config(number * RUNS + seed, strategy);
        let (outcome, out) = run_once(&mut plain, &mut host, &config, strategy);
        let again = run_once(&mut plain, &mut host, &config, strategy);
        assert_eq!(format!("{:?}", (&outcome, &out)), format!("{again:?}"), "program {number}, seed {seed}\n{text}");
        run_once(&mut inlining, &mut host, &config, strategy);
        run_once(&mut Session::with_real_bodies(), &mut short, &config, strategy);
        ends.push((kind(&outcome.end), outcome.threads));
    }
    ends
}

#[test]
#[expect(clippy::print_stdout, reason = "the numbers are for people")]
fn any_code_ends() {
    let mut ends: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut concurrent = 0;
    watched(PROGRAMS, move |number| {
        for (end, threads) in runs(number) {
            *ends.entry(end).or_default() += 1;
            concurrent += u32::from(threads > 1);
        }
        if number + 1 == PROGRAMS {
            println!("{ends:?}, {concurrent} with several threads");
            // The programs are worth the trouble.
            assert!(ends.values().filter(|count| **count >= 10).count() >= 12, "{ends:?}");
            assert!(concurrent > PROGRAMS as u32 / 2, "{concurrent}");
        }
    });
    let peak = peak_mib();
    assert!(peak <= MAX_MIB, "{peak} MiB");
}
