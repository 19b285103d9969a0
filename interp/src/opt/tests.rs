use super::optimize;
use crate::ir::{Code, FnId};
use crate::text::{code_to_string, parse, verify};

fn optimized(text: &str, regions: &[(u32, u32)]) -> String {
    let module = parse(text).unwrap();
    let mut code: Code = (*module.functions[&FnId(0)]).clone();
    optimize(&mut code, regions.to_vec());
    verify(&code).unwrap();
    code_to_string(FnId(0), &code)
}

fn check(text: &str, regions: &[(u32, u32)], expected: &str) {
    let expected = parse(expected).unwrap();
    assert_eq!(optimized(text, regions), code_to_string(FnId(0), &expected.functions[&FnId(0)]));
}

#[test]
fn operands_and_results_go_where_they_are_wanted() {
    check(
        r#"fn f0 "f" (s8:8) -> s0:8 frame 48 {
          copy s16:8 = s8
          const s24:8 = 5
          bin add u64 s32 = s16, s24
          copy s40:8 = s32
          copy s0:8 = s40
          return
        }"#,
        &[(0, 8), (8, 8), (16, 8), (24, 8), (32, 8), (40, 8)],
        r#"fn f0 "f" (s8:8) -> s0:8 frame 16 {
          bin_imm add u64 s0 = s8, 5
          return
        }"#,
    );
}

#[test]
fn a_slot_with_an_address_is_left_alone() {
    let text = r#"fn f0 "f" (s8:8) -> s0:8 frame 48 {
      copy s16:8 = s8
      addr_of s24 = s16
      store *s24 + 0 = s8:8
      copy s0:8 = s16
      return
    }"#;
    check(text, &[(0, 8), (8, 8), (16, 8), (24, 8)], &text.replace("frame 48", "frame 32"));
}

#[test]
fn a_cleanup_sees_the_old_value() {
    // The call's result may not be written before the second call has returned.
    let text = r#"fn f0 "f" () -> s0:8 frame 32 {
      const s8:8 = 1
    start:
      call s16 = f0()
      call s24 = f0()
      copy s8:8 = s16
    end:
      call s16 = f0()
      bin add u64 s0 = s8, s16
      return
    handler:
      call s24 = f1(s8)
      unwind
      on_unwind start..end -> handler
    }"#;
    check(text, &[(0, 8), (8, 8), (16, 8), (24, 8)], text);
}

#[test]
fn a_call_without_a_result_defines_nothing() {
    // The zero-sized result of the second call shares its slot with the first result.
    let text = r#"fn f0 "f" () -> s0:8 frame 32 {
      call s8 = f1()
      call s8 = f2()
      copy s16:8 = s8
      call s0 = f3(s16, s8)
      return
    }"#;
    let regions = [(0, 8), (8, 0), (8, 8), (16, 8)];
    check(
        text,
        &regions,
        &text.replace("copy s16:8 = s8\n", "").replace("(s16, s8)", "(s8, s8)").replace("frame 32", "frame 16"),
    );
}

#[test]
fn jumps_and_flags() {
    check(
        r#"fn f0 "f" (s8:8) -> s0:8 frame 32 {
          const s16:1 = 1
          jump a
        a:
          branch s16, b, c
        b:
          copy s0:8 = s8
          jump d
        c:
          unreachable
        d:
          return
        e:
          unwind
          on_unwind a..e -> e
        }"#,
        &[(0, 8), (8, 8), (16, 1)],
        r#"fn f0 "f" (s8:8) -> s0:8 frame 16 {
          copy s0:8 = s8
          return
        }"#,
    );
}
