//! Waiting for the operating system: pipes, counters, timers, sets of descriptors, sockets.

use super::{module, number_models};
use interp::environment::{Disk, Environment};
use interp::finding::{Action, Awaited, FindingKind};
use interp::ir::FnId;
use interp::run::{Config, RunEnd, RunOutcome, Session, run};
use interp::sched::{RandomWalk, Scheduler};

/// The models that these tests call, beside those of all tests.
const SYSTEM: &str = r#"
fn f200 "pipe" (s0:8) -> s8:4 frame 16 std = model <pipe> ()
fn f201 "read_fd" (s0:4, s8:8, s16:8) -> s24:8 frame 32 std = model <read_fd> ()
fn f202 "close" (s0:4) -> s4:4 frame 16 std = model <close> ()
fn f203 "eventfd" (s0:4, s4:4) -> s8:4 frame 16 std = model <eventfd> ()
fn f204 "epoll_create1" (s0:4) -> s4:4 frame 16 std = model <epoll_create1> ()
fn f205 "epoll_ctl" (s0:4, s4:4, s8:4, s16:8) -> s24:4 frame 32 std = model <epoll_ctl> ()
fn f206 "epoll_wait" (s0:4, s8:8, s16:4, s20:4) -> s24:4 frame 32 std = model <epoll_wait> ()
fn f207 "timerfd_create" (s0:4, s4:4) -> s8:4 frame 16 std = model <timerfd_create> ()
fn f208 "timerfd_settime" (s0:4, s4:4, s8:8, s16:8) -> s24:4 frame 32 std = model <timerfd_settime> ()
fn f209 "socketpair" (s0:4, s4:4, s8:4, s16:8) -> s24:4 frame 32 std = model <socketpair> ()
fn f210 "socket" (s0:4, s4:4, s8:4) -> s12:4 frame 16 std = model <socket> ()
fn f211 "listen" (s0:4, s4:4) -> s8:4 frame 16 std = model <listen> ()
fn f212 "accept" (s0:4, s8:8, s16:8) -> s24:4 frame 32 std = model <accept> ()
fn f213 "sigaction" (s0:4, s8:8, s16:8) -> s24:4 frame 32 std = model <sigaction> ()
fn f214 "clock" (s0:4, s8:8) -> s16:4 frame 32 std = model <clock_gettime> ()
"#;

/// An environment about which nothing, or everything, is known.
struct Outside(Disk);

impl Environment for Outside {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn disk(&mut self) -> Disk {
        self.0
    }
}

/// Runs a program that calls these models.
pub(super) fn run_with_models(models: &str, text: &str, seed: u64, disk: Disk) -> RunOutcome {
    let mut host = module(&format!("{text}\n{}", number_models(models)));
    let mut scheduler = RandomWalk::new();
    scheduler.begin_run(seed);
    let config = Config { seed, ..Config::default() };
    run(&mut Session::new(), &mut host, FnId(0), &[], &config, &mut scheduler, &mut Outside(disk))
}

fn run_on(text: &str, seed: u64, disk: Disk) -> RunOutcome {
    run_with_models(SYSTEM, text, seed, disk)
}

/// The end of a run without anything outside.
#[track_caller]
fn end(text: &str) -> RunOutcome {
    run_on(text, 0, Disk::Empty)
}

/// What the first event of the only finding waits for.
#[track_caller]
fn waits_for_ever(text: &str) -> Awaited {
    let outcome = end(text);
    let finding = match &outcome.findings[..] {
        [finding] => finding,
        others => panic!("{:?} {others:?}", outcome.end),
    };
    assert_eq!((&outcome.end, finding.kind), (&RunEnd::Deadlock, FindingKind::BlockedForever));
    match finding.events[0].action {
        Action::WaitsSystem { what } => what,
        other => panic!("{other:?}"),
    }
}

/// Another thread writes to a pipe after a sleep, `main` reads; then the writer is closed and `main` reads the end.
#[test]
fn a_reader_waits_for_a_writer() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 128 local {
  global_addr s8 = g0
  call s16 = f200(s8) @1
  fn_addr s24 = f1
  call s32 = f104(s24, s8) @2
  load s40:4 = *s8 + 0 @3
  addr_of s48 = s56
  const s64:8 = 4
  call s72 = f201(s40, s48, s64) @4
  call s80 = f201(s40, s48, s64) @5
  call s88 = f105(s32) @6
  bin_imm mul u64 s72 = s72, 10
  bin add u64 s0 = s72, s80
  return
}
fn f1 "writer" (s0:8) -> s0:0 frame 64 local {
  const s8:8 = 1
  const s16:4 = 0
  call s24 = f112(s8, s16) @7
  load s32:4 = *s0 + 4 @8
  addr_of s40 = s48
  const s48:8 = 77
  const s56:8 = 3
  call s24 = f108(s32, s40, s56) @9
  call s24 = f202(s32) @10
  return
}
fn f2 "init" () -> s0:8 frame 16 { zero s0:8 return }
global g0 "PIPE" size 8 align 4 init f2 static
"#;
    for seed in 0..10 {
        let outcome = run_on(text, seed, Disk::Empty);
        assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(30), vec![]));
    }
}

#[test]
fn a_pipe_whose_writer_is_never_closed() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 128 local {
  addr_of s8 = s16
  call s24 = f200(s8) @1
  addr_of s32 = s40
  const s48:8 = 4
  call s56 = f201(s16, s32, s48) @2
  const s0:8 = 0
  return
}
"#;
    assert_eq!(waits_for_ever(text), Awaited::PipeBytes);
    // A handler of a signal may write to it.
    let handled = text.replace(
        "  addr_of s32",
        "  const s64:8 = 4096\n  addr_of s72 = s64\n  const s80:4 = 10\n  const s88:8 = 0\n  call s96 = f213(s80, s72, s88) @3\n  addr_of s32",
    );
    let outcome = end(&handled);
    assert_eq!((outcome.end, outcome.findings), (RunEnd::WaitsForOutside, vec![]));
}

/// `main` waits with `epoll` for a counter; `EVENTS` are the events and flags, `TIMEOUT` is in milliseconds. Returns ten
/// times the first number of events, plus the second one.
fn counter(events: u32, timeout: i32, written: bool) -> String {
    let text = r#"
fn f0 "main" () -> s0:8 frame 256 local {
  const s8:4 = 0
  const s12:4 = 0
  call s16 = f203(s8, s12) @1
  call s20 = f204(s8) @2
  const s24:4 = EVENTS
  const s28:8 = 9
  const s40:4 = 1
  addr_of s48 = s24
  call s56 = f205(s20, s40, s16, s48) @3
  WRITE
  addr_of s80 = s160
  const s96:4 = 4
  const s100:4 = TIMEOUT
  call s104 = f206(s20, s80, s96, s100) @5
  call s112 = f206(s20, s80, s96, s8) @6
  bin_imm mul u32 s104 = s104, 10
  bin add u32 s104 = s104, s112
  const s0:8 = 0
  copy s0:4 = s104
  return
}
"#;
    let write = "const s120:8 = 1\n  addr_of s128 = s120\n  const s136:8 = 8\n  call s144 = f108(s16, s128, s136) @4";
    let text = text.replace("WRITE", if written { write } else { "" });
    text.replace("EVENTS", &events.to_string()).replace("TIMEOUT", &(timeout as u32).to_string())
}

const EPOLLIN: u32 = 1;
const EPOLLET: u32 = 1 << 31;
const EPOLLONESHOT: u32 = 1 << 30;

#[test]
fn level_edge_and_once() {
    for (flags, expected) in [(0, 11), (EPOLLET, 10), (EPOLLONESHOT, 10)] {
        assert_eq!(end(&counter(EPOLLIN | flags, -1, true)).end, RunEnd::Returned(expected), "{flags:x}");
    }
    assert_eq!(end(&counter(EPOLLIN, 50, false)).end, RunEnd::Returned(0), "the time runs out");
    assert_eq!(waits_for_ever(&counter(EPOLLIN, -1, false)), Awaited::Events);
}

/// `main` reads a timer of `FIRST` seconds, and returns how many seconds have passed.
#[test]
fn a_timer_lets_time_pass() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 256 local {
  const s8:4 = 1
  const s12:4 = 0
  call s16 = f207(s8, s12) @1
  call s24 = f113() @2
  const s32:8 = 0
  const s40:8 = 0
  const s48:8 = FIRST
  const s56:8 = 0
  addr_of s64 = s32
  const s72:8 = 0
  call s80 = f208(s16, s12, s64, s72) @3
  addr_of s88 = s96
  const s104:8 = 8
  call s112 = f201(s16, s88, s104) @4
  call s120 = f113() @5
  bin sub u64 s0 = s120, s24
  return
}
"#;
    assert_eq!(end(&text.replace("FIRST", "3")).end, RunEnd::Returned(3));
    assert_eq!(waits_for_ever(&text.replace("FIRST", "0")), Awaited::Timer);
}

#[test]
fn the_other_end_of_a_pair_is_in_the_run() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 128 local {
  const s8:4 = 1
  const s12:4 = KIND
  const s16:4 = 0
  addr_of s24 = s32
  call s40 = f209(s8, s12, s16, s24) @1
  CLOSE
  addr_of s48 = s56
  const s64:8 = 4
  call s72 = f201(s32, s48, s64) @2
  copy s0:8 = s72
  return
}
"#;
    let of = |kind: &str, close: &str| text.replace("KIND", kind).replace("CLOSE", close);
    assert_eq!(waits_for_ever(&of("1", "")), Awaited::SocketBytes);
    assert_eq!(waits_for_ever(&of("2", "")), Awaited::Message);
    assert_eq!(end(&of("1", "call s80 = f202(s36) @3")).end, RunEnd::Returned(0), "the end of the stream");
}

/// Clients come to a listener from outside, two at first; then it is quiet, which is no deadlock.
#[test]
fn a_listener_has_clients() {
    let text = r#"
fn f0 "main" () -> s0:8 frame 128 local {
  const s8:4 = 2
  const s12:4 = 1
  const s16:4 = 0
  call s20 = f210(s8, s12, s16) @1
  const s24:4 = 8
  call s28 = f211(s20, s24) @2
  const s32:8 = 0
  const s40:4 = 5
again:
  call s48 = f212(s20, s32, s32) @3
  bin_imm sub u32 s40 = s40, 1
  bin_imm gt u32 s44 = s40, 0
  branch s44, again, done
done:
  const s0:8 = 5
  return
}
"#;
    assert_eq!(run_on(text, 1, Disk::Any).end, RunEnd::Returned(5));
    let more = run_on(&text.replace("s40:4 = 5", "s40:4 = 6"), 1, Disk::Any);
    assert_eq!((more.end, more.findings), (RunEnd::WaitsForOutside, vec![]));
    let alone = end(text);
    assert_eq!((alone.end, alone.findings), (RunEnd::WaitsForOutside, vec![]), "nothing is outside");
}
