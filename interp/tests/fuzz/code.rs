//! Makes modules that keep what the verifier asks for and nothing else: every instruction, with operands that make sense
//! often enough to get somewhere; functions of every flag; every model, called with anything.

use interp::models::MODELS;
use interp::rng::Rng;
use std::fmt::Write;

/// A function's frame: parameters, words that hold addresses at first, and words for everything else.
const PARAMS: u32 = 5;
const POINTERS: (u32, u32) = (64, 12);
const VALUES: (u32, u32) = (160, 36);
/// Bytes that an address leads to.
const BLOCK: (u32, u32) = (448, 128);
/// Behind everything there is room for an operand of any size that is made here.
const FRAME: u32 = 640;
const LARGEST_OPERAND: u32 = 64;

/// Functions with code: ordinary ones, then bodies of coroutines. Models follow from `MODEL` on, and there is one more
/// that is not understood.
const FUNCTIONS: u32 = 8;
const COROUTINES: u32 = 2;
const MODEL: u32 = 100;
const UNKNOWN: u32 = 50;
const GLOBALS: u32 = 5;

const INTS: [&str; 10] = ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128"];
const FLOATS: [&str; 2] = ["f32", "f64"];
const ORDERINGS: [&str; 5] = ["relaxed", "release", "acquire", "acq_rel", "seq_cst"];
const TRAPS: [&str; 15] = [
    "add_overflow",
    "sub_overflow",
    "mul_overflow",
    "div_overflow",
    "rem_overflow",
    "neg_overflow",
    "shl_overflow",
    "shr_overflow",
    "div_by_zero",
    "rem_by_zero",
    "bounds",
    "resumed_after_return",
    "resumed_after_panic",
    "cannot_unwind",
    "panic_in_cleanup",
];

/// What has a place of its own in a function's frame.
pub(super) fn regions() -> Vec<(u32, u32)> {
    vec![(0, FRAME)]
}

/// The module of a number.
pub(super) fn random(number: u64) -> String {
    let mut maker = Maker { rng: Rng::with_stream(number, 1), text: String::new(), labels: 0, is_coroutine: false };
    for func in 0..FUNCTIONS + COROUTINES {
        maker.function(func);
    }
    maker.others();
    for model in 0..MODELS.len() as u32 {
        maker.model(model);
    }
    maker.text
}

struct Maker {
    rng: Rng,
    text: String,
    /// Places in the present function: one before each instruction.
    labels: u32,
    is_coroutine: bool,
}

impl Maker {
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.index(of.len())]
    }

    fn function(&mut self, func: u32) {
        const FLAGS: [&str; 14] = [
            "local",
            "local",
            "std",
            "std sync_api",
            "std sync_api atomic_api",
            "local counts_owners",
            "std drops_owner",
            "track_caller",
            "no_unwind",
            "shim",
            "api 1 write",
            "api 1 through_handle",
            "std waits_for once",
            "std api 2 write through_handle",
        ];
        self.is_coroutine = func >= FUNCTIONS;
        let flags = if self.is_coroutine { "coroutine local" } else { self.one(&FLAGS) };
        let arity = self.rng.below(PARAMS + 1);
        let params: Vec<String> =
            (0..arity).map(|it| format!("s{}:{}", it * 8, [8, 8, 8, 4, 0, 1][self.rng.index(6)])).collect();
        let (slot, size) = (self.slot(), [8, 8, 4, 0, 16, 3, 64][self.rng.index(7)]);
        let _ = writeln!(
            self.text,
            "fn f{func} \"f{func}\" ({}) -> s{slot}:{size} frame {FRAME} {flags} {{",
            params.join(", ")
        );
        self.prologue();
        if func == 0 {
            self.threads();
        }
        self.labels = 3 + self.rng.below(40);
        for place in 0..self.labels {
            let instr = self.instr();
            let site = if self.rng.chance(1, 4) { String::new() } else { format!(" @{}", self.rng.below(90)) };
            let _ = writeln!(self.text, "l{place}: {instr}{site}");
        }
        let _ = writeln!(self.text, "end: return");
        for _ in 0..self.rng.below(4) {
            let (start, len) = (self.rng.below(self.labels), self.rng.below(self.labels));
            let end = if start + len + 1 < self.labels { format!("l{}", start + len + 1) } else { "end".to_owned() };
            let (target, cleanup) = (self.label(), self.one(&["", "cleanup"]));
            let _ = writeln!(self.text, "on_unwind l{start}..{end} -> {target} {cleanup}");
        }
        self.text.push_str("}\n");
    }

    /// Puts addresses into the words for them, and numbers into some others.
    fn prologue(&mut self) {
        for _ in 0..10 {
            let (slot, number) = (VALUES.0 + 8 * self.rng.below(VALUES.1), self.number());
            let _ = writeln!(self.text, "  const s{slot}:8 = {number}");
        }
        for word in 0..POINTERS.1 {
            let slot = POINTERS.0 + word * 8;
            let instr = match word {
                0 | 1 => format!("addr_of s{slot} = s{}", BLOCK.0),
                2 => format!("addr_of s{slot} = s{}", VALUES.0),
                3 => {
                    let _ = writeln!(self.text, "const s160:8 = 96 const s168:8 = 8");
                    format!("call s{slot} = f{MODEL}(s160, s168)")
                }
                4 => format!("fn_addr s{slot} = f{}", self.func()),
                5 => format!("vtable_addr s{slot} = v{}", self.rng.below(3)),
                6 => format!("data_addr s{slot} = d{}", self.rng.below(3)),
                // What several functions, and threads, share.
                _ => format!("global_addr s{slot} = g{}", self.rng.below(GLOBALS)),
            };
            // Rarely there is no such word.
            if !self.rng.chance(1, 40) {
                let _ = writeln!(self.text, "  {instr}");
            }
        }
    }

    /// Other threads from the start, in most programs.
    fn threads(&mut self) {
        for _ in 0..self.rng.below(4) {
            let (start, data) = (1 + self.rng.below(FUNCTIONS - 1), self.pointer());
            let _ = writeln!(self.text, "  fn_addr s160 = f{start}");
            let _ = writeln!(self.text, "  call s168 = f{}(s160, s{data})", model("thread_spawn"));
        }
    }

    fn label(&mut self) -> String {
        format!("l{}", self.rng.below(self.labels))
    }

    fn slot(&mut self) -> u32 {
        match self.rng.below(20) {
            0 => self.pointer(),
            1 => self.rng.below(FRAME - LARGEST_OPERAND),
            2 => BLOCK.0 + 8 * self.rng.below(BLOCK.1 / 8),
            3 => 8 * self.rng.below(PARAMS),
            _ => VALUES.0 + 8 * self.rng.below(VALUES.1),
        }
    }

    fn pointer(&mut self) -> u32 {
        match self.rng.below(40) {
            0 => VALUES.0 + 8 * self.rng.below(VALUES.1),
            1..=6 => POINTERS.0 + 8 * self.rng.below(POINTERS.1),
            // To what may be read and written: frames, the heap, globals.
            _ => POINTERS.0 + 8 * [0, 1, 2, 3, 7, 8, 9, 10, 11][self.rng.index(9)],
        }
    }

    /// A number of bytes.
    fn size(&mut self) -> u32 {
        match self.rng.below(6) {
            0 => self.rng.below(LARGEST_OPERAND + 1),
            _ => 1 << self.rng.below(5),
        }
    }

    fn offset(&mut self) -> u64 {
        match self.rng.below(30) {
            0 => u64::from(self.rng.next_u32() >> self.rng.below(32)),
            _ => 8 * u64::from(self.rng.below(4)),
        }
    }

    fn number(&mut self) -> u64 {
        match self.rng.below(8) {
            0 => self.rng.next_u64() >> self.rng.below(64),
            1 => u64::MAX - u64::from(self.rng.below(3)),
            2 => 1 << self.rng.below(64),
            _ => u64::from(self.rng.below(20)),
        }
    }

    fn func(&mut self) -> u32 {
        match self.rng.below(24) {
            0 => UNKNOWN,
            // Not there.
            1 => self.rng.next_u32() >> self.rng.below(32),
            2..=11 => MODEL + self.rng.below(MODELS.len() as u32),
            12 => FUNCTIONS + self.rng.below(COROUTINES),
            _ => self.rng.below(FUNCTIONS),
        }
    }

    fn slots(&mut self, count: u32) -> String {
        let slots: Vec<String> = (0..count)
            .map(|_| if self.rng.chance(2, 5) { self.pointer() } else { self.slot() })
            .map(|slot| format!("s{slot}"))
            .collect();
        format!("({})", slots.join(", "))
    }

    /// Arguments of a function; of a model mostly such as its declaration names.
    fn args(&mut self, func: u32) -> String {
        let decl = func.checked_sub(MODEL).and_then(|model| MODELS.get(model as usize));
        match decl.filter(|_| self.rng.chance(7, 8)) {
            Some(decl) => {
                let mut slots: Vec<String> = Vec::new();
                for param in params(decl.signature) {
                    let slot: u32 = match param {
                        it if it.contains("fn(") => self.pointer_to_code(),
                        it if it.contains(['&', '*']) => self.pointer(),
                        _ => self.slot(),
                    };
                    slots.push(format!("s{slot}"));
                }
                format!("({})", slots.join(", "))
            }
            None => {
                let count = self.rng.below(7);
                self.slots(count)
            }
        }
    }

    fn instr(&mut self) -> String {
        let (dst, a, b, ptr, other, size) =
            (self.slot(), self.slot(), self.slot(), self.pointer(), self.pointer(), self.size());
        match self.rng.below(40) {
            0..=2 => format!("const s{dst}:{} = {} high {}", 1 << self.rng.below(5), self.number(), self.number()),
            3 => format!("{} s{dst}:{size} = s{a}", self.one(&["copy", "local_read", "local_write"])),
            4 => format!("{} s{dst}:{size}", self.one(&["zero", "storage_dead"])),
            5 => format!("addr_of s{dst} = s{a}"),
            6 if self.rng.chance(1, 2) => format!("unknown s{dst}:{size} = c{}", self.rng.below(3)),
            6 => format!("omitted = c{}", self.rng.below(3)),
            7..=11 => self.arithmetic(dst, a, b),
            12 | 13 => format!("load s{dst}:{size} = *s{ptr} + {} {}", self.offset(), self.one(&["", "volatile"])),
            14 | 15 => format!("store *s{ptr} + {} = s{a}:{size} {}", self.offset(), self.one(&["", "volatile"])),
            16 => format!("copy_mem *s{ptr} + {} = *s{other} + {}, {size}", self.offset(), self.offset()),
            17 if self.rng.chance(1, 2) => format!("ptr_add s{dst} = s{ptr} + {}", self.offset()),
            17 => format!("ptr_index s{dst} = s{ptr} + s{a} * {}", self.number()),
            18 => {
                let count = [0, 8, 16][self.rng.index(3)];
                match self.rng.below(4) {
                    0 => format!("move_bytes *s{ptr} = *s{other}, s{count} * {} overlapping", self.number()),
                    1 => format!("set_bytes *s{ptr} = s{a}, s{count} * {}", self.number()),
                    2 => format!("compare_bytes s{dst} = *s{ptr}, *s{other}, s{a}"),
                    _ => format!("bounds s{a} < s{b}"),
                }
            }
            19 => match self.rng.below(4) {
                // Some of these numbers are of nothing.
                0 => format!("global_addr s{dst} = g{}", self.rng.below(GLOBALS + 2)),
                1 => format!("data_addr s{dst} = d{}", self.rng.below(5)),
                2 => format!("fn_addr s{dst} = f{}", self.func()),
                _ => format!("vtable_addr s{dst} = v{}", self.rng.below(5)),
            },
            20..=22 => self.atomic(dst, ptr, a, b),
            23 => format!("fence {}", self.one(&ORDERINGS[1..])),
            24 => "await".to_owned(),
            25 if self.rng.chance(1, 2) => format!("jump {}", self.label()),
            25 => format!("branch s{a}, {}, {}", self.label(), self.label()),
            26 => {
                let size = 1 << self.rng.below(5);
                let (one, two) = (self.rng.below(4), self.rng.below(200));
                format!("switch s{a}:{size} {{{one}: {}, {two}: {}}} else {}", self.label(), self.label(), self.label())
            }
            27..=31 => {
                let func = self.func();
                format!("call s{dst} = f{func}{}", self.args(func))
            }
            32 if self.rng.chance(1, 2) => format!("call_ptr s{dst} = *s{}{}", self.pointer_to_code(), self.args(0)),
            32 => {
                let table = if self.rng.chance(3, 4) { POINTERS.0 + 5 * 8 } else { ptr };
                let index = [0, 3, 4, 5, 1000][self.rng.index(5)];
                format!("call_virtual s{dst} = *s{table}[{index}]{}", self.args(0))
            }
            33 => self.rare(),
            34 => format!("catch_unwind s{dst} = *s{}, s{a}, *s{}", self.pointer_to_code(), self.pointer_to_code()),
            35 => format!("{} s{dst}", self.one(&["caller_location", "here"])),
            36 if self.is_coroutine => format!("suspend s{dst}, {}, {}", self.label(), self.label()),
            36 | 37 => {
                let body = if self.rng.chance(7, 8) { FUNCTIONS + self.rng.below(COROUTINES) } else { self.func() };
                format!("resume s{dst}, s{b} = *s{ptr} + {}, f{body}, s{a}", self.offset())
            }
            38 => {
                let captures = if self.rng.chance(1, 2) { format!("captures f{}", self.func()) } else { String::new() };
                format!("drop_coroutine *s{ptr} + {} {captures}", self.offset())
            }
            _ => {
                // Another thread.
                format!("call s{dst} = f{}(s{}, s{ptr})", model("thread_spawn"), self.pointer_to_code())
            }
        }
    }

    fn pointer_to_code(&mut self) -> u32 {
        if self.rng.chance(9, 10) { POINTERS.0 + 4 * 8 } else { self.slot() }
    }

    fn rare(&mut self) -> String {
        match self.rng.below(8) {
            0 => "unreachable".to_owned(),
            1 => "abort".to_owned(),
            2 => "return".to_owned(),
            3 => "unwind".to_owned(),
            4 => "panic bounds(s0, s8)".to_owned(),
            5 => {
                let trap = self.one(&TRAPS);
                if trap == "bounds" { "return".to_owned() } else { format!("panic {trap}()") }
            }
            _ => {
                format!("call s160 = f{}(s{})", model("rust_panic"), self.pointer())
            }
        }
    }

    fn arithmetic(&mut self, dst: u32, a: u32, b: u32) -> String {
        const OF_ALL: [&str; 11] = ["add", "sub", "mul", "div", "rem", "eq", "ne", "lt", "le", "gt", "ge"];
        const OF_INTS: [&str; 6] = ["and", "or", "xor", "shl", "shr", "cmp"];
        const CHECKED: [&str; 5] = ["add", "sub", "mul", "shl", "shr"];
        const INT_UNARY: [&str; 7] = ["not", "neg", "ctpop", "ctlz", "cttz", "bswap", "bitreverse"];
        const FLOAT_UNARY: [&str; 8] = ["neg", "sqrt", "floor", "ceil", "trunc", "round", "round_even", "fabs"];
        const FLOAT_MATH: [&str; 19] = [
            "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
            "exp2", "exp_m1", "ln", "log10", "log2", "cbrt",
        ];
        let (int, float) = (self.one(&INTS), self.one(&FLOATS));
        let immediate = self.number().cast_signed();
        match self.rng.below(12) {
            0 => format!("bin {} {float} s{dst} = s{a}, s{b}", self.one(&OF_ALL)),
            1 | 2 => format!("bin {} {int} s{dst} = s{a}, s{b}", self.one(&OF_ALL)),
            3 => format!("bin {} {int} s{dst} = s{a}, s{b}", self.one(&OF_INTS)),
            4 => {
                let ops = if self.rng.chance(1, 2) { &OF_ALL[..] } else { &OF_INTS[..] };
                format!("bin_imm {} {int} s{dst} = s{a}, {immediate}", self.one(ops))
            }
            5 => format!("checked {} {int} s{dst} = s{a}, s{b} {}", self.one(&CHECKED), self.one(&INTS)),
            6 => format!("checked_imm {} {int} s{dst} = s{a}, {immediate}", self.one(&CHECKED)),
            7 => format!("overflowing {} {int} s{dst}, s{} = s{a}, s{b}", self.one(&CHECKED[..3]), self.slot()),
            8 => match self.rng.below(4) {
                0 => format!("un {} {float} s{dst} = s{a}", self.one(&FLOAT_UNARY)),
                1 => format!("un not_bool u8 s{dst} = s{a}"),
                _ => format!("un {} {int} s{dst} = s{a}", self.one(&INT_UNARY)),
            },
            9 => format!("checked_neg {} s{dst} = s{a}", self.one(&INTS[..5])),
            10 => {
                let any: Vec<&str> = INTS.iter().chain(&FLOATS).copied().collect();
                format!("cast {} -> {} s{dst} = s{a}", self.one(&any), self.one(&any))
            }
            _ => match self.rng.below(4) {
                0 => format!(
                    "math {} {int} s{dst} = {}",
                    self.one(&["saturating_add", "saturating_sub", "rotate_left", "rotate_right"]),
                    self.slots(2)
                ),
                1 => format!(
                    "math {} {float} s{dst} = {}",
                    self.one(&["min_num", "max_num", "copy_sign", "powi", "pow", "atan2", "hypot"]),
                    self.slots(2)
                ),
                2 => format!("math fma {float} s{dst} = {}", self.slots(3)),
                _ => format!("math {} {float} s{dst} = {}", self.one(&FLOAT_MATH), self.slots(1)),
            },
        }
    }

    fn atomic(&mut self, dst: u32, ptr: u32, a: u32, b: u32) -> String {
        const RMW: [&str; 11] = ["xchg", "add", "sub", "and", "nand", "or", "xor", "min", "max", "umin", "umax"];
        const LOADS: [&str; 3] = ["relaxed", "acquire", "seq_cst"];
        let size = 1 << self.rng.below(5);
        let order = self.one(&ORDERINGS);
        match self.rng.below(4) {
            0 => format!("atomic_load {} s{dst}:{size} = *s{ptr}", self.one(&LOADS)),
            1 => format!("atomic_store {} *s{ptr} = s{a}:{size}", self.one(&["relaxed", "release", "seq_cst"])),
            2 => format!("atomic_rmw {} {order} s{dst}:{size} = *s{ptr}, s{a}", self.one(&RMW)),
            _ => format!(
                "atomic_cas {order} {} s{dst}:{size}, s{} = *s{ptr}, s{a} -> s{b} {}",
                self.one(&LOADS),
                self.slot(),
                self.one(&["", "weak"])
            ),
        }
    }

    /// Everything that is neither code nor a model.
    fn others(&mut self) {
        let _ = writeln!(self.text, "fn f{UNKNOWN} \"unknown\" (s0:8) -> s8:8 frame 16 = unknown c0");
        for global in 0..GLOBALS {
            let size = [128, 128, 64, 0, 4000][self.rng.index(5)];
            // Most are of zero bytes.
            let init = if self.rng.chance(3, 4) { UNKNOWN + 1 } else { self.func() };
            let kind = self.one(&["static", "static lost c0", "static thread_local", "thread_local", "lost c0", ""]);
            let _ = writeln!(self.text, "global g{global} \"G{global}\" size {size} align 8 init f{init} {kind}");
        }
        let _ = writeln!(self.text, "fn f{} \"zero\" () -> s0:64 frame 64 {{ return }}", UNKNOWN + 1);
        let _ = writeln!(
            self.text,
            "data d0 \"text\\x00\" data d1 \"\" data d2 \"name=value\\x00/tmp/\\xff\\x00{}\"",
            "x".repeat(100)
        );
        for vtable in 0..3 {
            let (size, align) = (self.number(), self.number());
            let drop = if self.rng.chance(1, 2) { format!("drop f{}", self.func()) } else { String::new() };
            let methods: Vec<String> = (0..self.rng.below(4))
                .map(|_| if self.rng.chance(1, 4) { "none".to_owned() } else { format!("f{}", self.func()) })
                .collect();
            let _ =
                writeln!(self.text, "vtable v{vtable} \"T\" size {size} align {align} {drop} [{}]", methods.join(", "));
        }
        for trap in TRAPS {
            if self.rng.chance(3, 4) {
                let func = self.func();
                let _ = writeln!(self.text, "trap {trap} f{func}");
            }
        }
        if self.rng.chance(1, 2) {
            let func = self.func();
            let _ = writeln!(self.text, "known run_thread_local_destructors f{func}");
        }
        let _ = writeln!(self.text, "cause c0 \"a cause\"");
    }

    /// A function that is a model, with the parameters that its declaration names, or any.
    fn model(&mut self, model: u32) {
        let decl = &MODELS[model as usize];
        let is_named = model == 0 || self.rng.chance(3, 4);
        let mut sizes: Vec<u32> = if is_named {
            params(decl.signature).into_iter().map(size_of).collect()
        } else {
            (0..self.rng.below(7)).map(|_| self.any_size()).collect()
        };
        if decl.signature.contains("..") {
            sizes.extend((0..self.rng.below(5)).map(|_| 8));
        }
        let ret = if is_named { result(decl.signature) } else { self.any_size() };
        let mut at = 0;
        let mut params = Vec::new();
        for size in sizes {
            params.push(format!("s{at}:{size}"));
            at += size.next_multiple_of(8);
        }
        let frame = (at + ret).next_multiple_of(16).max(16);
        let consts: Vec<String> = (0..self.rng.below(7))
            .map(|_| if self.rng.chance(1, 8) { self.number() } else { u64::from(self.rng.below(17)) }.to_string())
            .collect();
        let flags = self.one(&[
            "std",
            "std",
            "std sync_api",
            "std sync_api api 1",
            "local",
            "",
            "track_caller",
            "std drops_owner",
        ]);
        let body = match decl.consts.is_empty() || self.rng.chance(2, 3) {
            true => format!("model {model} ({})", consts.join(", ")),
            // Real code, or anything else, also itself.
            false => format!("fast {model} ({}) real f{}", consts.join(", "), self.func()),
        };
        let _ = writeln!(
            self.text,
            "fn f{} \"{}\" ({}) -> s{at}:{ret} frame {frame} {flags} = {body}",
            MODEL + model,
            decl.name,
            params.join(", ")
        );
    }

    fn any_size(&mut self) -> u32 {
        [8, 8, 4, 1, 16, 0, 3, 40][self.rng.index(8)]
    }
}

/// The function that a model is.
fn model(name: &str) -> u32 {
    let model = interp::models::find(name).expect("there is a model of this name");
    MODEL + model.0
}

/// The parameters that a declaration names.
fn params(signature: &str) -> Vec<&str> {
    let (mut params, mut depth, mut start) = (Vec::new(), 0, 1);
    for (at, c) in signature.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if !signature[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            let param = signature[start..at].trim();
            if !param.is_empty() && param != ".." {
                params.push(param);
            }
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    params
}

/// The size of a declaration's result.
fn result(signature: &str) -> u32 {
    match signature.split_once("-> ") {
        None => 0,
        Some((_, ty)) if ty.starts_with("()") || ty.starts_with('!') => 0,
        Some((_, ty)) => size_of(ty.split([':', ' ']).next().unwrap_or_default()),
    }
}

/// The size of a parameter or a type.
fn size_of(text: &str) -> u32 {
    let ty = text.rsplit(": ").next().unwrap_or(text);
    match ty {
        "u8" | "bool" => 1,
        "i32" | "u32" => 4,
        _ if ["Duration", "Option<Duration>", "&[u8]", "Timespec", "&CStr"].contains(&ty) => 16,
        _ if ty.contains("dyn ") || ty.starts_with("&mut [") || ty.starts_with("Result") => 16,
        _ => 8,
    }
}
