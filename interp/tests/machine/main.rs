//! The machine, tested through the IR's text with no compiler around it (invariant 12).

mod api;
mod behind;
mod channels;
mod concurrency;
mod control;
mod livelock;
mod malformed;
mod mutations;
mod panics;
mod processes;
mod random;
mod schedules;
mod signals;
mod system;
mod terms;
mod traces;
mod uninit;
mod values;

use interp::ir::FnId;
use interp::run::{Config, RunEnd, RunOutcome, Session, run};
use interp::sched::RandomWalk;
use interp::text::{Module, parse};

/// The models that tests call, from `f100` on; `<name>` stands for a model's number.
const PRELUDE: &str = r#"
fn f100 "alloc" (s0:8, s8:8) -> s16:8 frame 32 std = model <alloc> ()
fn f101 "dealloc" (s0:8, s8:8, s16:8) -> s0:0 frame 32 std = model <dealloc> ()
fn f102 "lock" (s0:8) -> s0:0 frame 16 std sync_api = model <mutex_lock> ()
fn f103 "unlock" (s0:8) -> s0:0 frame 16 std sync_api = model <mutex_unlock> ()
fn f104 "spawn" (s0:8, s8:8) -> s16:8 frame 32 std sync_api = model <thread_spawn> ()
fn f105 "join" (s0:8) -> s0:0 frame 16 std sync_api = model <thread_join> ()
fn f106 "panic" (s0:16) -> s16:4 frame 32 std = model <rust_panic> ()
fn f107 "cleanup" (s0:8) -> s16:16 frame 32 std = model <panic_cleanup> ()
fn f108 "write" (s0:4, s8:8, s16:8) -> s24:8 frame 32 std = model <write_fd> ()
fn f109 "wait" (s0:8, s8:8) -> s0:0 frame 16 std sync_api = model <condvar_wait> ()
fn f110 "notify" (s0:8) -> s0:0 frame 16 std sync_api = model <condvar_notify_one> ()
fn f111 "input" () -> s0:4 frame 16 std = model <input> ()
fn f112 "sleep" (s0:8, s8:4) -> s0:0 frame 16 std sync_api = model <sleep> ()
fn f113 "now" () -> s0:8 frame 16 std = model <now_secs> ()
fn f114 "read" (s0:8) -> s0:0 frame 16 std sync_api = model <rwlock_read> ()
fn f115 "write_lock" (s0:8) -> s0:0 frame 16 std sync_api = model <rwlock_write> ()
fn f116 "park" (s0:8) -> s0:0 frame 16 std sync_api = model <park> ()
fn f117 "unpark" (s0:8) -> s0:0 frame 16 std sync_api = model <unpark> ()
fn f118 "futex_wait" (s0:8, s8:4, s16:16) -> s32:1 frame 48 std sync_api = model <futex_wait> ()
fn f119 "futex_wake" (s0:8) -> s8:1 frame 16 std sync_api = model <futex_wake> ()
fn f120 "mystery" () -> s0:4 frame 16 = unknown c0
fn f121 "realloc" (s0:8, s8:8, s16:8, s24:8) -> s32:8 frame 48 std = model <realloc> ()
fn f122 "exit" (s0:4) -> s0:0 frame 16 std = model <exit> ()
fn f123 "send" (s0:8, s8:8, s16:8, s24:8, s32:8) -> s40:1 frame 48 std sync_api = model <channel_send> ()
fn f124 "receive" (s0:8, s8:8, s16:8, s24:8, s32:8) -> s40:1 frame 48 std sync_api = model <channel_receive> ()
fn f125 "disconnect" (s0:8) -> s8:1 frame 16 std sync_api = model <channel_disconnect> ()
cause c0 "a foreign function"
"#;

fn number_models(text: &str) -> String {
    let mut all = text.to_owned();
    for decl in interp::models::MODELS {
        let number = interp::models::find(decl.name).map_or(0, |model| model.0);
        all = all.replace(&format!("<{}>", decl.name), &number.to_string());
    }
    all
}

fn module(text: &str) -> Module {
    let all = number_models(&format!("{text}\n{PRELUDE}"));
    let module = parse(&all).unwrap_or_else(|error| panic!("{error}"));
    if let Err(errors) = module.verify() {
        panic!("{errors:?}");
    }
    module
}

/// Runs `f0` of a program under one seed; gives what it printed too.
fn run_seeded(text: &str, seed: u64) -> (RunOutcome, String) {
    let mut host = module(text);
    run_module(&mut host, seed)
}

fn run_module(host: &mut Module, seed: u64) -> (RunOutcome, String) {
    use interp::sched::Scheduler;
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(seed);
    let config = Config { seed, ..Config::default() };
    let mut out: Vec<u8> = Vec::new();
    let outcome = run(&mut Session::new(), host, FnId(0), &[], &config, &mut scheduler, &mut out);
    (outcome, String::from_utf8_lossy(&out).into_owned())
}

/// The exit code that `f0` returns.
#[track_caller]
fn result(text: &str) -> i64 {
    let (outcome, _) = run_seeded(text, 0);
    match outcome.end {
        RunEnd::Returned(code) => code,
        other => panic!("{other:?}"),
    }
}
