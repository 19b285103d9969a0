//! Channels, whose messages the machine holds.

use super::run_seeded;
use interp::finding::{Action, FindingKind};
use interp::run::RunEnd;

/// `main` receives `COUNT` messages from a thread that sends 1, 2, 3 … with a plain write to a static before each, and
/// reads that static after each. `CAPACITY` is the channel's.
fn channel(capacity: u64, sent: u64, received: u64, ending: &str) -> String {
    let text = r#"
fn f0 "main" () -> s0:8 frame 128 local {
  global_addr s40 = g0
  fn_addr s8 = f1
  call s24 = f104(s8, s40) @1
  const s48:8 = CAPACITY
  const s56:8 = 8
  const s64:8 = 18446744073709551615
  addr_of s72 = s80
  const s88:8 = RECEIVED
  const s96:8 = 0
again:
  bin_imm eq u64 s104 = s88, 0
  branch s104, done, next
next:
  call s105 = f124(s40, s48, s72, s56, s64) @2
  branch s105, closed, got
got:
  load s112:8 = *s40 + 8 @3
  bin add u64 s96 = s96, s80
  bin_imm sub u64 s88 = s88, 1
  jump again
closed:
  bin_imm add u64 s96 = s96, 1000
done:
  call s0 = f105(s24) @4
  copy s0:8 = s96
  return
}
fn f1 "thread" (s0:8) -> s0:0 frame 128 local {
  const s48:8 = CAPACITY
  const s56:8 = 8
  const s64:8 = 18446744073709551615
  addr_of s72 = s80
  const s80:8 = 0
again:
  bin_imm eq u64 s104 = s80, SENT
  branch s104, done, next
next:
  bin_imm add u64 s80 = s80, 1
  WRITE
  call s105 = f123(s0, s48, s72, s56, s64) @6
  jump again
done:
  ENDING
  return
}
fn f2 "init" () -> s0:16 frame 16 { zero s0:16 return }
global g0 "CHANNEL" size 16 align 8 init f2 static
"#;
    let text = text.replace("CAPACITY", &capacity.to_string()).replace("ENDING", ending);
    text.replace("SENT", &sent.to_string()).replace("RECEIVED", &received.to_string())
}

const WRITE: &str = "store *s0 + 8 = s80:8 @5";
const DISCONNECT: &str = "call s105 = f125(s0) @7";

#[test]
fn messages_come_in_order_and_order_threads() {
    for capacity in [0, 1, 2, u64::MAX] {
        for seed in 0..20 {
            // One message: its write happens before its receive.
            let (outcome, _) = run_seeded(&channel(capacity, 1, 1, "").replace("WRITE", WRITE), seed);
            assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(1), vec![]), "{capacity} {seed}");
            let (outcome, _) = run_seeded(&channel(capacity, 4, 4, "").replace("WRITE", ""), seed);
            assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(10), vec![]), "{capacity} {seed}");
        }
    }
}

/// From hand to hand a send ends after its receive, but not after what follows that.
#[test]
fn what_a_channel_does_not_order_is_a_race() {
    for capacity in [0, 1, u64::MAX] {
        let race = |seed| {
            let (outcome, _) = run_seeded(&channel(capacity, 3, 3, "").replace("WRITE", WRITE), seed);
            assert_eq!(outcome.end, RunEnd::Returned(6));
            outcome.findings.iter().any(|finding| finding.kind == FindingKind::DataRace)
        };
        assert!((0..20).any(race), "{capacity}");
    }
}

#[test]
fn disconnected_and_forever() {
    for capacity in [0, 2, u64::MAX] {
        for seed in 0..10 {
            let (outcome, _) = run_seeded(&channel(capacity, 2, 5, DISCONNECT).replace("WRITE", ""), seed);
            assert_eq!((outcome.end, outcome.findings), (RunEnd::Returned(1003), vec![]), "{capacity} {seed}");
            // Nobody sends, and nobody says so.
            let (outcome, _) = run_seeded(&channel(capacity, 2, 5, "").replace("WRITE", ""), seed);
            assert_eq!(outcome.end, RunEnd::Deadlock);
            let [finding] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
            assert_eq!(finding.kind, FindingKind::BlockedForever);
            assert!(matches!(finding.events[0].action, Action::WaitsReceive { .. }));
            assert_eq!(finding.events[0].stack[0].site.0, 2);
        }
    }
}

#[test]
fn a_sender_waits_for_room() {
    for capacity in [0, 1] {
        for seed in 0..10 {
            let (outcome, _) = run_seeded(&channel(capacity, 3, 1, "").replace("WRITE", ""), seed);
            assert_eq!(outcome.end, RunEnd::Deadlock);
            let actions: Vec<_> = outcome.findings[0].events.iter().map(|event| event.action).collect();
            assert!(matches!(actions[..], [Action::WaitsJoin { .. }, Action::WaitsSend { .. }]), "{actions:?}");
        }
    }
}
