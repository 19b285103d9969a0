use super::*;
use crate::host::Host;
use crate::ir::{ApiAccess, Body, CodeFlags, Instr, ModelId, Site, UnwindRange, WaitName};
use crate::rng::Rng;
use crate::text::names::Named;
use expect_test::{Expect, expect};

fn parsed(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const COUNTER: &str = r#"
fn f0 "count::down" (s0:4) -> s4:4 frame 16 local track_caller { // comment
again:
  bin_imm sub u32 s0 = s0, 1 @3
  bin_imm eq u32 s8 = s0, 0
  branch s8, done, again @4
done:
  call s4 = f1(s0, s4) @5
  return
landing: jump landing
cleanup:
  unwind
  on_unwind done..landing -> cleanup cleanup
  on_unwind again..landing -> landing
}
fn f1 "model" (s0:4) -> s0:4 frame 16 = model 7 (8, 0x10)
fn f2 "foreign" () -> s0:0 frame 0 std = unknown c0
global g0 "CACHE" size 8 align 8 init f2 static thread_local lost c0
data d0 "a\"\\\x00\xff\né"
vtable v0 "Dog" size 8 align 8 drop f1 [f2, none]
vtable v1 "Cat" size 0 align 1 []
cause c0 "foreign function"
trap add_overflow f2
known run_thread_local_destructors f2
location size 32 file 8 line 0 column 4
"#;

#[test]
fn the_printed_form() {
    expect![[r#"
        fn f0 "count::down" (s0:4) -> s4:4 frame 16 local track_caller {
        L0:
          bin_imm sub u32 s0 = s0, 1 @3
          bin_imm eq u32 s8 = s0, 0
          branch s8, L3, L0 @4
        L3:
          call s4 = f1(s0, s4) @5
          return
        L5:
          jump L5
        L6:
          unwind
          on_unwind L3..L5 -> L6 cleanup
          on_unwind L0..L5 -> L5
        }
        fn f1 "model" (s0:4) -> s0:4 frame 16 = model 7 (8, 16)
        fn f2 "foreign" () -> s0:0 frame 0 std = unknown c0
        global g0 "CACHE" size 8 align 8 init f2 static thread_local lost c0
        data d0 "a\"\\\x00\xff\né"
        vtable v0 "Dog" size 8 align 8 drop f1 [f2, none]
        vtable v1 "Cat" size 0 align 1 []
        cause c0 "foreign function"
        trap add_overflow f2
        known run_thread_local_destructors f2
        location size 32 file 8 line 0 column 4
    "#]]
    .assert_eq(&parsed(COUNTER).to_string());
}

#[test]
fn every_instruction_as_text() {
    let mut rng = Rng::new(3);
    let instrs: Box<[Instr]> = syntax::make_up(&mut rng).into();
    let code = code_of(instrs.into(), &mut rng);
    expect![[r#"
        fn f0 "case \"5\"\n\\" () -> s37:4 frame 117 align 32 sync_api atomic_api drops_owner track_caller shim api 85 write {
          const s95:1 = 1550691166898704824
        L1:
          copy s127:1806221601 = s99 @8
        L2:
          zero s6:0 @32
          local_read s12:841018 = s136 @47
          local_write s107:3005709227 = s108 @58
        L5:
          addr_of s164 = s100
        L6:
          storage_dead s91:0
          omitted = c2
        L8:
          unknown s100:0 = c5 @28
          bin and i8 s26 = s193, s164 @71
          bin_imm cmp u64 s51 = s196, -84668520894062
          checked shr i32 s172 = s78, s56 u32 @32
        L12:
          checked_imm rem f32 s18 = s93, -52374 @35
          overflowing or i16 s192, s47 = s141, s65 @15
        L14:
          un not i16 s73 = s34 @90
          checked_neg u32 s95 = s154 @40
          cast i8 -> u128 s63 = s102 @18
          math acos i16 s167 = (s16) @89
          load s127:0 = *s94 + 4130709488 volatile @6
          store *s37 + 1 = s20:0 volatile
          copy_mem *s130 + 0 = *s40 + 8, 110029963
          ptr_add s143 = s189 + -868753959016 @79
          ptr_index s126 = s171 + s192 * 110949931 @64
        L23:
          bounds s76 < s126 @88
          move_bytes *s22 = *s111, s145 * 3882116983219465475 overlapping @5
          set_bytes *s149 = s78, s187 * 66158429134511 @64
          compare_bytes s117 = *s67, *s103, s24
          global_addr s86 = g7
          data_addr s95 = d1 @28
          fn_addr s34 = f3 @20
          vtable_addr s108 = v0
          atomic_load seq_cst s149:0 = *s75 @68
          atomic_store relaxed *s109 = s4:7 @35
          atomic_rmw sub acq_rel s87:0 = *s83, s41
          atomic_cas release acq_rel s181:0, s132 = *s95, s98 -> s191 weak
          fence relaxed @84
          await
          jump L8 @22
          branch s17, L5, L14
          switch s82:0 {} else L6 @25
          call s140 = f0() @85
          call_ptr s39 = *s120(s196)
          call_virtual s38 = *s198[0]() @5
          return @21
          enter 0
          leave 0
          unwind
          panic mul_overflow(s100, s160, s31) @57
          unreachable
          abort
          catch_unwind s195 = *s11, s71, *s32 @69
          caller_location s47
          here s186
          resume s155, s149 = *s172 + 3116496664, f9, s50 @33
          suspend s156, L23, L8
          drop_coroutine *s158 + 0 captures f5 @27
          on_unwind L12..L2 -> L1 cleanup
        }
    "#]]
    .assert_eq(&code_to_string(FnId(0), &code));
}

/// Code with these instructions and a random header.
fn code_of(instrs: Vec<Instr>, rng: &mut Rng) -> Code {
    let site = |rng: &mut Rng| {
        if rng.chance(1, 3) { Site::NONE } else { Site(rng.below(99)) }
    };
    let sized = |rng: &mut Rng| (rng.below(64), rng.below(17));
    let mut more = rng.clone();
    let api = ApiAccess { family: more.below(99) as u16, through_handle: more.chance(1, 2), write: more.chance(1, 2) };
    let api = more.chance(1, 2).then_some(api);
    let waits_for = more.chance(1, 2).then_some(WaitName::Once);
    let mut on = || rng.chance(1, 2);
    let flags = CodeFlags {
        is_std: on(),
        is_local: on(),
        is_sync_api: on(),
        is_atomic_api: on(),
        counts_owners: on(),
        drops_owner: on(),
        track_caller: on(),
        no_unwind: on(),
        is_coroutine: on(),
        is_shim: on(),
        is_mistyped: on(),
        api,
        waits_for,
    };
    let consts = |rng: &mut Rng| (0..rng.below(3)).map(|_| rng.next_u64()).collect();
    let body = match rng.below(5) {
        0 => Body::Unknown { cause: CauseId(rng.below(5)) },
        1 => Body::Model { model: ModelId(rng.below(5)), consts: consts(rng) },
        2 => Body::Fast { model: ModelId(rng.below(5)), consts: consts(rng), real: FnId(rng.below(5)) },
        _ => Body::Ir,
    };
    let range = |rng: &mut Rng| UnwindRange {
        start: rng.below(40),
        end: rng.below(40),
        target: rng.below(40),
        in_cleanup: rng.chance(1, 2),
    };
    Code {
        name: format!("case \"{}\"\n\\", rng.below(9)).into(),
        body,
        frame_size: rng.below(300),
        frame_align: 16 << rng.below(3),
        params: (0..rng.below(4)).map(|_| sized(rng)).collect(),
        ret: sized(rng),
        sites: instrs.iter().map(|_| site(rng)).collect(),
        instrs: instrs.into(),
        unwind: (0..rng.below(3)).map(|_| range(rng)).collect(),
        flags,
    }
}

fn made_up_module(seed: u64) -> Module {
    let mut rng = Rng::new(seed);
    let mut module = Module::default();
    for func in 0..rng.below(4) {
        let mut instrs = syntax::make_up(&mut rng);
        let keep = 1 + rng.below(8);
        instrs.retain(|_| rng.chance(keep, 8));
        let len = instrs.len();
        for index in 0..len {
            instrs.swap(index, rng.index(len));
        }
        module.functions.insert(FnId(func * 3), Rc::new(code_of(instrs, &mut rng)));
    }
    module.data.insert(DataId(1), (0..rng.below(300)).map(|_| rng.next_u32() as u8).collect());
    module.traps.push((Trap::ALL[rng.index(Trap::ALL.len())].0, FnId(2)));
    module
}

#[test]
fn what_is_printed_parses_to_the_same() {
    for seed in 0..400 {
        let module = made_up_module(seed);
        let text = module.to_string();
        assert_eq!(parsed(&text), module, "seed {seed}\n{text}");
    }
    let module = parsed(COUNTER);
    assert_eq!(parsed(&module.to_string()), module);
}

#[test]
fn mutated_text_does_not_panic() {
    let insertions = ["é", "\"", "\\", "{", "}", "->", "..", "-", "0x", "99999999999999999999", "//", ":", "\n", "%"];
    let mut errors = 0;
    for seed in 0..1500 {
        let mut rng = Rng::with_stream(seed, 1);
        let mut chars: Vec<char> =
            if seed % 2 == 0 { COUNTER.to_owned() } else { made_up_module(seed % 40).to_string() }.chars().collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.index(chars.len());
            match rng.below(3) {
                0 => drop(chars.drain(at..(at + 1 + rng.index(9)).min(chars.len()))),
                1 => drop(chars.splice(at..at, insertions[rng.index(insertions.len())].chars())),
                _ => {
                    let other = rng.index(chars.len());
                    chars.swap(at, other);
                }
            }
        }
        let text: String = chars.into_iter().collect();
        match parse(&text) {
            Ok(module) => {
                let _ = module.verify();
                assert_eq!(parsed(&module.to_string()), module);
            }
            Err(error) => {
                assert!(error.line >= 1 && error.col >= 1);
                errors += 1;
            }
        }
    }
    assert!(errors > 500, "{errors}");
}

#[test]
fn parse_errors_say_where() {
    let mut all = String::new();
    for text in [
        "fn",
        "fn f0 \"a\" (s0:4 s8:4) -> s0:0 frame 0 {}",
        "fn f0 \"é\" () -> s0:0 frame 16 {\n  é x\n}",
        "fn f0 \"a\" () -> s0:0 frame 16 {\n  jump nowhere\n}",
        "fn f0 \"a\" () -> s0:0 frame 16 {\n a:\n a:\n}",
        "fn f0 \"a\" () -> s0:0 frame -1 {}",
        "fn f0 \"a\" () -> s0:0 frame 0 {",
        "fn f0 \"a\" () -> s0:0 frame 0 { bin plus u32 s0 = s0, s0 }",
        "data d0 \"a\ndata d1",
        "cause c0 \"\\xff\"",
        "data d0 \"\" data d0 \"\"",
        "global g0 \"G\" size 8 align 8 init g1",
        "item",
        "data d0 0xyz",
    ] {
        let error = parse(text).expect_err(text);
        all += &format!("{error}\n");
    }
    expect![[r#"
        1:3: expected `f` and a number, found the end
        1:17: expected `)`, found `s8`
        2:3: no instruction is called `é`
        2:8: no label `nowhere`
        3:2: label `a` is there already
        1:28: number out of range
        1:31: expected an instruction or `}`, found the end
        1:36: expected a binary operator, found `plus`
        1:11: malformed string
        1:10: not UTF-8
        1:12: the module has this item already
        1:35: expected `f` and a number, found `g1`
        1:1: no item is called `item`
        1:9: not a number
    "#]]
    .assert_eq(&all);
}

fn verify_to(body: &str, expected: Expect) {
    let text = format!("fn f0 \"case\" (s0:8) -> s8:8 frame 32 {{\n{body}\n}}");
    let errors = parsed(&text).verify().err().unwrap_or_default();
    let lines: Vec<String> = errors.iter().map(|(_, error)| error.to_string()).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn verified_code() {
    verify_to("const s0:4 = 1 return", expect![[""]]);
    verify_to("a: load s8:8 = *s0 + 4 b: return c: unwind on_unwind a..b -> c", expect![[""]]);
    assert_eq!(parsed(COUNTER).verify(), Ok(()));
}

#[test]
fn what_verification_finds() {
    verify_to("", expect!["no instructions"]);
    verify_to(
        "const s28:8 = 1 const s4294967295:1 = 0 const s0:3 = 0 const s0:1 = 256 return",
        expect![[r#"
            instruction 0: s28:8 is outside the frame
            instruction 1: s4294967295:1 is outside the frame
            instruction 2: a constant of 3 bytes"#]],
    );
    verify_to("jump %2 return", expect!["instruction 0: goes to 2, which does not exist"]);
    verify_to(
        "nowhere: branch s0, nowhere, end zero s0:4 end:",
        expect![[r#"
            control runs off the end
            instruction 0: goes to 2, which does not exist"#]],
    );
    verify_to(
        "a: return b: on_unwind b..a -> a on_unwind a..b -> b",
        expect![[r#"
            1..0 is no range of instructions
            unwinding goes to 1, which does not exist"#]],
    );
    verify_to(
        "switch s0:3 {} else a a: switch s0:1 {255: a, 256: a} else a",
        expect![[r#"
            instruction 0: a switch on 3 bytes
            instruction 1: the switch's value 256 does not fit into 1 bytes"#]],
    );
    verify_to(
        "bin shl f32 s0 = s0, s0 un sqrt u32 s0 = s0 checked div i32 s0 = s0, s0 i32 return",
        expect![[r#"
            instruction 0: Shl of F32
            instruction 1: Sqrt of U32
            instruction 2: checked Div of I32"#]],
    );
    verify_to(
        "checked_neg u8 s0 = s0 overflowing shl u8 s0, s1 = s0, s0 return",
        expect![[r#"
            instruction 0: checked negation of U8
            instruction 1: overflowing Shl of U8"#]],
    );
    verify_to(
        "math fma f64 s0 = (s0) math pow u32 s0 = (s0, s8) return",
        expect![[r#"
            instruction 0: Fma takes 3 operands, not 1
            instruction 1: Pow of U32"#]],
    );
    verify_to(
        "math pow f64 s0 = (s0, s28) math rotate_left u8 s0 = (s0, s31) math rotate_left u64 s0 = (s0, s28) return",
        expect![[r#"
            instruction 0: s28:8 is outside the frame
            instruction 1: s31:4 is outside the frame"#]],
    );
    verify_to(
        "atomic_load release s0:4 = *s8 atomic_store acquire *s8 = s0:5 fence relaxed return",
        expect![[r#"
            instruction 0: a load with Release
            instruction 1: an atomic of 5 bytes
            instruction 1: a store with Acquire
            instruction 2: a relaxed fence"#]],
    );
    verify_to(
        "atomic_cas seq_cst release s0:4, s4 = *s8, s16 -> s20 a: suspend s0, a, a",
        expect![[r#"
            instruction 0: a failed compare-and-swap with Release
            instruction 1: suspends, but this is no coroutine"#]],
    );
    verify_to(
        "panic bounds(s0) call_virtual s0 = *s8[1](s64) return",
        expect![[r#"
            instruction 0: Bounds takes 2 operands, not 1
            instruction 1: s64:0 is outside the frame
            instruction 1: entry 1 of a vtable is no function"#]],
    );
}

#[test]
fn verification_of_headers() {
    let mut code = Code::clone(&parsed(COUNTER).functions[&FnId(0)]);
    code.frame_size = 7;
    code.params = Box::new([(4, 8)]);
    code.sites = Box::new([]);
    let errors = verify(&code).expect_err("many errors");
    let lines: Vec<String> = errors.iter().filter(|e| e.pc.is_none()).map(VerifyError::to_string).collect();
    expect![[r#"
        a frame of 7 bytes is no multiple of 16
        parameter s4:8 is outside the frame
        result s4:4 is outside the frame
        0 sites for 7 instructions"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn verification_never_panics() {
    for seed in 0..200 {
        let _ = made_up_module(seed).verify();
    }
}

#[test]
fn a_module_is_a_host() {
    let mut module = parsed(COUNTER);
    assert_eq!(module.function("model"), Some(FnId(1)));
    assert_eq!(&*module.code(FnId(0)).name, "count::down");
    assert!(matches!(module.code(FnId(77)).body, Body::Unknown { .. }));
    assert_eq!(verify(&module.code(FnId(77))), Ok(()));
    assert_eq!(&*module.data(DataId(0)), b"a\"\\\0\xff\n\xc3\xa9");
    assert_eq!(module.data(DataId(1)).len(), 0);
    assert_eq!(module.vtable(VtableId(0)).methods[..], [Some(FnId(2)), None]);
    assert!(module.global(GlobalId(0)).thread_local);
    assert_eq!(module.trap_fn(Trap::AddOverflow), Some(FnId(2)));
    assert_eq!(module.trap_fn(Trap::Bounds), None);
    assert_eq!(module.known_fn(KnownFn::RunThreadLocalDestructors), Some(FnId(2)));
    assert_eq!(module.locate(FnId(0), Site(3)).map(|loc| loc.line), Some(3));
    assert_eq!(module.locate(FnId(0), Site::NONE), None);
    assert_eq!(module.location_layout().size, 32);
    assert_eq!(&*module.cause(CauseId(0)), "foreign function");
}
