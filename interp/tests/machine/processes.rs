//! Children: their statics, arguments, descriptors and ends.

use super::{module, number_models};
use interp::environment::Environment;
use interp::finding::{Action, Awaited, FindingKind};
use interp::host::{Dictionary, Host, KnownFn, LocationLayout, Programs, SourceLoc};
use interp::ir::{CauseId, Code, DataId, FnId, Global, GlobalId, Site, Trap, Vtable, VtableId};
use interp::run::{Config, RunEnd, RunOutcome, Session, run};
use interp::sched::{RandomWalk, Scheduler};
use interp::text::Module;
use std::rc::Rc;
use std::sync::Arc;

/// The models that these tests call, beside those of all tests, and the path of the child as a C string.
const PROCESSES: &str = r#"
fn f200 "posix_spawn" (s0:8, s8:8, s16:8, s24:8, s32:8, s40:8) -> s48:4 frame 64 std = model <posix_spawn> ()
fn f201 "waitpid" (s0:4, s8:8, s16:4) -> s24:4 frame 32 std = model <waitpid> ()
fn f202 "pipe" (s0:8) -> s8:4 frame 16 std = model <pipe> ()
fn f203 "read_fd" (s0:4, s8:8, s16:8) -> s24:8 frame 32 std = model <read_fd> ()
fn f204 "close" (s0:4) -> s4:4 frame 16 std = model <close> ()
fn f205 "kill" (s0:4, s4:4) -> s8:4 frame 16 std = model <kill> ()
fn f206 "argc" () -> s0:8 frame 16 std = model <argc> ()
fn f207 "exec" (s0:8, s8:8, s16:8) -> s24:4 frame 32 std = model <exec> ()
fn f208 "getpid" () -> s0:4 frame 16 std = model <getpid> ()
fn f298 "zero" () -> s0:8 frame 16 { zero s0:8 return }
fn f299 "path" () -> s0:8 frame 16 { const s0:8 = 110416787694383 return }
global g90 "STATIC" size 8 align 8 init f298 static
global g91 "PATH" size 8 align 8 init f299
"#;

/// A module whose `f1` is the program `/child`.
struct WithChild(Module);

impl Host for WithChild {
    fn code(&mut self, func: FnId) -> Rc<Code> {
        self.0.code(func)
    }

    fn global(&mut self, global: GlobalId) -> Arc<Global> {
        self.0.global(global)
    }

    fn data(&mut self, data: DataId) -> Arc<[u8]> {
        self.0.data(data)
    }

    fn vtable(&mut self, vtable: VtableId) -> Arc<Vtable> {
        self.0.vtable(vtable)
    }

    fn trap_fn(&mut self, trap: Trap) -> Option<FnId> {
        self.0.trap_fn(trap)
    }

    fn known_fn(&mut self, known: KnownFn) -> Option<FnId> {
        self.0.known_fn(known)
    }

    fn locate(&mut self, func: FnId, site: Site) -> Option<SourceLoc> {
        self.0.locate(func, site)
    }

    fn location_layout(&mut self) -> LocationLayout {
        self.0.location_layout()
    }

    fn cause(&mut self, cause: CauseId) -> Arc<str> {
        self.0.cause(cause)
    }

    fn dictionary(&mut self) -> Dictionary {
        self.0.dictionary()
    }

    fn programs(&mut self) -> Programs {
        Programs { known: Arc::from([Box::from(&b"/child"[..])]), ..Programs::default() }
    }

    fn program(&mut self, index: usize) -> Option<FnId> {
        (index == 0).then_some(FnId(1))
    }
}

fn run_with(text: &str, seed: u64, environment: &mut dyn Environment) -> RunOutcome {
    let mut host = WithChild(module(&format!("{text}\n{}", number_models(PROCESSES))));
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(seed);
    let config = Config { seed, ..Config::default() };
    run(&mut Session::new(), &mut host, FnId(0), &[], &config, &mut scheduler, environment)
}

/// A `main` that starts the child without arguments and variables, and then does `rest`. The child's number is at
/// `s16`, the error at `s80`.
fn starting(rest: &str) -> String {
    format!(
        "fn f0 \"main\" () -> s0:8 frame 256 local {{
  const s8:8 = 0
  addr_of s24 = s16
  global_addr s32 = g91
  call s80 = f200(s24, s32, s8, s8, s8, s8) @1
  addr_of s96 = s88
  const s104:4 = 0
{rest}
  return
}}"
    )
}

const WAITS: &str = "  call s112 = f201(s16, s96, s104) @2\n  zero s0:8\n  load s0:4 = *s96 + 0";

#[test]
fn a_child_has_its_own_statics_and_status() {
    let child = r#"
fn f1 "child" () -> s0:4 frame 64 local {
  global_addr s8 = g90
  load s16:8 = *s8 + 0 @3
  const s24:8 = 5
  store *s8 + 0 = s24:8 @4
  call s32 = f206()
  bin_imm add u64 s16 = s16, 7
  bin add u64 s16 = s16, s32
  copy s0:4 = s16
  return
}"#;
    // What the parent has written is not there, and the parent finds its own again.
    let before = "fn f0 \"main\" () -> s0:8 frame 256 local {\n  global_addr s120 = g90\n  const s128:8 = 99\n  store *s120 + 0 = s128:8 @9";
    let main = starting(&format!("{WAITS}\n  load s136:8 = *s120 + 0 @8\n  bin add u64 s0 = s0, s136"));
    let main = main.replacen("fn f0 \"main\" () -> s0:8 frame 256 local {", before, 1);
    let outcome = run_with(&format!("{main}{child}"), 0, &mut Vec::new());
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned((7 << 8) + 99), vec![]));
    assert_eq!(outcome.threads, 1, "first threads of children do not count");
}

#[test]
fn a_child_that_exits_ends_its_threads_only() {
    let child = r#"
fn f1 "child" () -> s0:4 frame 64 local {
  fn_addr s8 = f2
  const s16:8 = 0
  call s24 = f104(s8, s16) @3
  call s32 = f105(s24) @4
  const s0:4 = 1
  return
}
fn f2 "exits" (s0:8) -> s0:0 frame 16 local {
  const s8:4 = 3
  call s16 = f122(s8) @5
  unreachable
}"#;
    for seed in 0..10 {
        let outcome = run_with(&format!("{}{child}", starting(WAITS)), seed, &mut Vec::new());
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(3 << 8), vec![]));
        assert_eq!(outcome.threads, 2);
    }
}

#[test]
fn a_child_is_killed() {
    let child = r#"
fn f1 "child" () -> s0:4 frame 64 local {
  const s8:8 = 1000
  const s16:4 = 0
  call s24 = f112(s8, s16) @3
  const s0:4 = 1
  return
}"#;
    let kills = format!("  const s140:4 = 9\n  call s144 = f205(s16, s140) @6\n{WAITS}");
    let outcome = run_with(&format!("{}{child}", starting(&kills)), 0, &mut Vec::new());
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(9), vec![]));
}

/// Parent and child wait for each other: one for the end, the other for bytes that nobody else can write.
#[test]
fn a_wait_for_a_child_is_closed() {
    let child = r#"
fn f1 "child" () -> s0:4 frame 64 local {
  const s8:4 = 3
  addr_of s16 = s24
  const s32:8 = 1
  call s40 = f203(s8, s16, s32) @3
  const s0:4 = 1
  return
}"#;
    let before = "fn f0 \"main\" () -> s0:8 frame 256 local {\n  addr_of s120 = s128\n  call s136 = f202(s120) @7";
    let main = starting(WAITS).replacen("fn f0 \"main\" () -> s0:8 frame 256 local {", before, 1);
    let outcome = run_with(&format!("{main}{child}"), 0, &mut Vec::new());
    let finding = &outcome.findings[0];
    assert_eq!((outcome.end, finding.kind), (RunEnd::Deadlock, FindingKind::BlockedForever));
    let actions: Vec<Action> = finding.events.iter().map(|it| it.action).collect();
    let [Action::WaitsJoin { thread }, Action::WaitsSystem { what: Awaited::PipeBytes }] = actions[..] else {
        panic!("{actions:?}");
    };
    assert_eq!(finding.thread_names[thread.index()].as_deref(), Some("main of child"));
    // The parent's end of the pipe is the last one: without it, the child reads the end.
    let closes = format!("  load s140:4 = *s120 + 4\n  call s144 = f204(s140) @6\n{WAITS}");
    let main = starting(&closes).replacen("fn f0 \"main\" () -> s0:8 frame 256 local {", before, 1);
    let child_closes =
        child.replace("  const s8:4 = 3\n", "  const s48:4 = 4\n  call s56 = f204(s48) @8\n  const s8:4 = 3\n");
    let outcome = run_with(&format!("{main}{child_closes}"), 0, &mut Vec::new());
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(1 << 8), vec![]));
}

#[test]
fn a_program_takes_the_place_of_another() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 64 local {
  global_addr s8 = g91
  const s16:8 = 0
  call s24 = f207(s8, s16, s16) @1
  const s0:8 = 1
  return
}
fn f1 "child" () -> s0:4 frame 64 local {
  call s8 = f208()
  bin_imm sub u32 s0 = s8, 4200
  return
}"#;
    let outcome = run_with(text, 0, &mut Vec::new());
    assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(42), vec![]), "it is the same process");
}

#[test]
fn unknown_programs_end_and_have_a_status() {
    let main = starting(WAITS).replace("global_addr s32 = g91", "global_addr s32 = g92");
    let text = format!(
        "{main}\nfn f1 \"child\" () -> s0:4 frame 16 local {{ const s0:4 = 1 return }}
fn f3 \"name\" () -> s0:8 frame 16 {{ const s0:8 = 7629159 return }}
global g92 \"NAME\" size 8 align 8 init f3"
    );
    for seed in 0..20 {
        let outcome = run_with(&text, seed, &mut Vec::new());
        let RunEnd::Returned(status) = outcome.end else { panic!("{:?}", outcome.end) };
        assert!([0, 1 << 8].contains(&status), "{status}");
    }
}
