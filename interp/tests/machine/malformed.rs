//! Code that no compiler makes, and lengths that no program means: the run ends with a fault, and the host goes on.

use super::{PRELUDE, number_models, run_module};
use interp::memory::Fault;
use interp::run::RunEnd;
use interp::text::parse;

/// What ends `f0`, in which `f1` is of the models that are called.
#[track_caller]
fn fault(text: &str) -> Fault {
    let mut host = parse(&number_models(&format!("{text}\n{PRELUDE}"))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(host.verify(), Ok(()));
    match run_module(&mut host, 0).0.end {
        RunEnd::Fault { fault, .. } => fault,
        end => panic!("{end:?}"),
    }
}

#[test]
fn lengths_of_no_memory() {
    // The length of the name's text is all bits.
    let name = r#"
        fn f0 "main" () -> s0:0 frame 32 { addr_of s0 = s16 const s8:8 = 18446744073709551615 call s0 = f1(s0) return }
        fn f1 "set_name" (s0:16) -> s0:0 frame 16 = model <thread_set_name> ()
    "#;
    assert!(matches!(fault(name), Fault::OutOfRange { .. }));
    let label = r#"
        fn f0 "main" () -> s0:0 frame 32 { addr_of s0 = s16 const s8:8 = 18446744073709551615 call s16 = f1(s0, s8) return }
        fn f1 "number" (s0:8, s8:8) -> s16:8 frame 32 = model <number> ()
    "#;
    assert!(matches!(fault(label), Fault::OutOfRange { .. }));
}

#[test]
fn a_message_is_received_in_its_size() {
    let text = r#"
        fn f0 "main" () -> s0:0 frame 96 {
          addr_of s0 = s64
          const s8:8 = 8
          const s16:8 = 32
          call s56 = f123(s0, s8, s0, s8, s24)
          call s56 = f124(s0, s8, s0, s16, s24)
          return
        }
    "#;
    assert_eq!(fault(text), Fault::BadCode);
}

#[test]
fn a_real_body_has_no_faster_one() {
    let text = r#"
        fn f0 "main" () -> s0:0 frame 32 { const s16:8 = 1 call s0 = f1(s0, s8) return }
        fn f1 "itself" (s0:1, s8:16) -> s24:8 frame 32 = fast <memchr> () real f1
    "#;
    assert_eq!(fault(text), Fault::BadCode);
}

#[test]
fn constants_beyond_what_they_are_of() {
    let part = r#"
        fn f0 "main" () -> s0:0 frame 32 { call s0 = f1(s0) return }
        fn f1 "sleep" (s0:16) -> s0:0 frame 16 = model <sleep_duration> (4294967295, 4294967295)
    "#;
    assert_eq!(fault(part), Fault::BadCode);
    let now = r#"
        fn f0 "main" () -> s0:0 frame 32 { call s0 = f1() return }
        fn f1 "now" () -> s0:16 frame 16 = model <now> (4294967295, 8)
    "#;
    assert_eq!(fault(now), Fault::BadCode);
    // The hasher's fields lie one after the other; no hash has so many rounds. The real body is not there.
    let rounds = r#"
        fn f0 "main" () -> s0:0 frame 96 { addr_of s0 = s32 call s8 = f1(s0) unreachable }
        fn f1 "finish" (s0:8) -> s8:8 frame 16 = fast <sip_finish> (0, 32, 40, 48, 18446744073709551615, 4) real f2
        fn f2 "real" (s0:8) -> s8:8 frame 16 { unreachable }
    "#;
    assert_eq!(fault(rounds), Fault::Unreachable);
    // A range's integer has at most a word; the real body is not there.
    for size in [0, 9, 16, 4294967295_u64] {
        let range = r#"
            fn f0 "main" () -> s0:0 frame 96 { addr_of s0 = s32 call s8 = f1(s0) unreachable }
            fn f1 "next" (s0:8) -> s8:16 frame 32 = fast <range_next> (0, 8, 0, 1, 8, 0, 16, SIZE, 1) real f2
            fn f2 "real" (s0:8) -> s8:16 frame 32 { unreachable }
        "#;
        assert_eq!(fault(&range.replace("SIZE", &size.to_string())), Fault::Unreachable, "{size}");
    }
}

#[test]
fn a_method_whose_object_is_no_pointer() {
    let text = r#"
        fn f0 "main" () -> s0:0 frame 16 local { fn_addr s0 = f2 call s8 = f104(s0, s0) call s0 = f1(s15) unreachable }
        fn f1 "api" (s0:1) -> s0:0 frame 16 std api 1 write { return }
        fn f2 "thread" (s0:8) -> s0:0 frame 16 local { return }
    "#;
    assert_eq!(fault(text), Fault::Unreachable);
}

#[test]
fn arguments_of_c_that_nobody_gave() {
    // `ioctl` takes its third argument from the frame's last byte.
    let text = r#"
        fn f0 "main" () -> s0:0 frame 16 { const s0:8 = 21537 call s12 = f1(s8, s0, s15) unreachable }
        fn f1 "ioctl" (s0:4, s8:8) -> s16:4 frame 32 = model <ioctl> ()
    "#;
    assert!(matches!(fault(text), Fault::Null { .. }));
}
