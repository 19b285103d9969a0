//! Makes programs: functions that call each other, loops, memory with and without an address, panics and cleanups,
//! threads, locks, atomics, values that are not known.

use interp::rng::Rng;
use std::fmt::Write;

/// Parameters, locals and temporaries of a function are words; these are their slots.
const PARAMS: u32 = 3;
const RESULT: u32 = 24;
const LOCALS: [u32; 7] = [32, 40, 48, 56, 64, 72, 80];
/// Locals that have an address.
const ADDRESSED: [u32; 2] = [88, 96];
/// Used within one statement.
const TEMPS: [u32; 5] = [104, 112, 120, 128, 136];
const FRAME: u32 = 176;

/// What has a place of its own in a function's frame.
pub(super) fn regions() -> Vec<(u32, u32)> {
    (0..FRAME / 8).map(|word| (word * 8, 8)).collect()
}

/// Functions that all programs have: panics, the handler of a catch, a printer.
const COMMON: &str = r#"
trap add_overflow f90
trap sub_overflow f90
trap panic_in_cleanup f92
trap cannot_unwind f92
global g0 "A" size 64 align 8 init f94 static
global g1 "B" size 64 align 8 init f94 static
fn f90 "overflow" () -> s0:0 frame 16 track_caller { const s0:8 = 9 const s8:8 = 0 call s0 = f106(s0) unreachable }
fn f91 "handler" (s0:8, s8:8) -> s0:0 frame 32 { call s16 = f107(s8) return }
fn f92 "twice" () -> s0:0 frame 16 { abort }
fn f93 "print" (s0:8) -> s0:0 frame 48 std {
  local_write s8:8 = s0
  const s16:4 = 1
  addr_of s24 = s8
  const s32:8 = 8
  call s40 = f108(s16, s24, s32)
  return
}
fn f94 "zero" () -> s0:64 frame 64 { return }
"#;

struct Writer {
    rng: Rng,
    text: String,
    labels: u32,
    sites: u32,
    /// The present function, and how many there are.
    func: u32,
    count: u32,
    /// How deep the present statement lies in others.
    depth: u32,
    ranges: String,
}

/// The program of a number.
pub(super) fn random(number: u64) -> String {
    let mut rng = Rng::new(number);
    let count = 4 + rng.below(6);
    let mut writer =
        Writer { rng, text: COMMON.to_owned(), labels: 0, sites: 0, func: 0, count, depth: 0, ranges: String::new() };
    for func in 0..count {
        writer.function(func);
    }
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.sites += 1;
        let _ = writeln!(self.text, "  {text} @{}", self.sites);
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    fn place(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn function(&mut self, func: u32) {
        const FLAGS: [&str; 10] = [
            "local",
            "local",
            "",
            "std",
            "std sync_api",
            "std atomic_api sync_api",
            "track_caller",
            "shim",
            "no_unwind",
            "std shim",
        ];
        self.func = func;
        self.ranges.clear();
        let flags = if func == 0 { "local" } else { FLAGS[self.rng.index(FLAGS.len())] };
        let params = if func == 0 { "()" } else { "(s0:8, s8:8, s16:8)" };
        let _ = writeln!(self.text, "fn f{func} \"fn{func}\" {params} -> s{RESULT}:8 frame {FRAME} {flags} {{");
        let threads = if func == 0 && self.count > 4 { self.rng.below(3) } else { 0 };
        for thread in 0..threads {
            let callee = 1 + self.rng.below(self.count - 1);
            self.line(&format!("fn_addr s104 = f{callee}"));
            self.line("const s112:8 = 5");
            self.line(&format!("call s{} = f104(s104, s112)", LOCALS[5 + thread as usize]));
        }
        for _ in 0..3 + self.rng.below(6) {
            self.statement();
        }
        for thread in 0..threads {
            // A statement may have overwritten the number; the machine's are small.
            let at = LOCALS[5 + thread as usize];
            self.line(&format!("const s{at}:8 = {}", thread + 1));
            self.line(&format!("call s104 = f105(s{at})"));
        }
        let value = self.value();
        self.line(&format!("copy s{RESULT}:8 = s{value}"));
        if func == 0 {
            self.line(&format!("call s104 = f93(s{RESULT})"));
        }
        self.line("return");
        let ranges = std::mem::take(&mut self.ranges);
        self.text.push_str(&ranges);
        self.text.push_str("}\n");
    }

    fn value(&mut self) -> u32 {
        let known = PARAMS as usize + LOCALS.len();
        match self.rng.index(known) {
            param if param < PARAMS as usize => param as u32 * 8,
            local => LOCALS[local - PARAMS as usize],
        }
    }

    fn addressed(&mut self) -> u32 {
        ADDRESSED[self.rng.index(ADDRESSED.len())]
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    /// A block that does something that is seen: one that is not is no reason to ask what is not known.
    fn seen_block(&mut self) {
        self.line("call s104 = f93(s112)");
        self.block();
    }

    /// Puts the address of a word into a temporary.
    fn address(&mut self, temp: u32) {
        if self.rng.chance(1, 3) {
            let slot = self.addressed();
            self.line(&format!("addr_of s{temp} = s{slot}"));
        } else {
            let (global, offset) = (self.rng.below(2), 16 + 8 * self.rng.below(4));
            self.line(&format!("global_addr s{temp} = g{global}"));
            self.line(&format!("ptr_add s{temp} = s{temp} + {offset}"));
        }
    }

    fn call(&mut self) {
        let callee = match self.rng.below(12) {
            // Itself: the depth of calls is bounded.
            0 if self.func > 0 => self.func,
            _ if self.func + 1 < self.count => self.func + 1 + self.rng.below(self.count - self.func - 1),
            _ => return self.line("const s104:8 = 77"),
        };
        let (a, b, c, dst) = (self.value(), self.value(), self.value(), self.value());
        if self.rng.chance(1, 6) {
            self.line(&format!("fn_addr s104 = f{callee}"));
            self.line(&format!("call_ptr s{dst} = *s104(s{a}, s{b}, s{c})"));
        } else {
            self.line(&format!("call s{dst} = f{callee}(s{a}, s{b}, s{c})"));
        }
    }

    fn statement(&mut self) {
        let kinds = if self.depth < 3 { 18 } else { 11 };
        let (a, b, dst) = (self.value(), self.value(), self.value());
        match self.rng.below(kinds) {
            0 => {
                let bits = self.rng.below(9);
                self.line(&format!("const s{dst}:8 = {bits}"));
            }
            1 => self.line(&format!("copy s{dst}:8 = s{a}")),
            2 => {
                const OPS: [&str; 6] = ["add", "sub", "mul", "xor", "and", "or"];
                let op = OPS[self.rng.index(OPS.len())];
                self.line(&format!("bin {op} u64 s{dst} = s{a}, s{b}"));
            }
            3 => match self.rng.below(4) {
                0 => self.line(&format!("checked_imm sub u64 s{dst} = s{a}, 1")),
                1 => self.line(&format!("checked add u64 s{dst} = s{a}, s{b} u64")),
                _ => self.line(&format!("checked_imm add u32 s{dst} = s{a}, 3")),
            },
            4 => {
                let slot = self.addressed();
                match self.rng.below(3) {
                    0 => self.line(&format!("local_write s{slot}:8 = s{a}")),
                    1 => self.line(&format!("local_read s{dst}:8 = s{slot}")),
                    _ => self.line(&format!("storage_dead s{slot}:8")),
                }
            }
            5 => {
                self.address(TEMPS[0]);
                match self.rng.below(4) {
                    0 => self.line(&format!("store *s104 + 0 = s{a}:8")),
                    1 => self.line(&format!("atomic_rmw add acq_rel s{dst}:8 = *s104, s{a}")),
                    2 => self.line(&format!("atomic_load acquire s{dst}:8 = *s104")),
                    _ => self.line(&format!("load s{dst}:8 = *s104 + 0")),
                }
            }
            6 => self.line(&format!("call s104 = f93(s{a})")),
            7 => {
                self.line("caller_location s104");
                self.line("load s112:4 = *s104 + 16");
                self.line("cast u32 -> u64 s120 = s112");
                self.line("call s104 = f93(s120)");
            }
            8..=10 => self.call(),
            11 => {
                let (yes, no) = (self.label(), self.label());
                self.line(&format!("bin lt u64 s136 = s{a}, s{b}"));
                self.line(&format!("branch s136, {yes}, {no}"));
                self.place(&yes);
                self.seen_block();
                self.place(&no);
            }
            12 => self.repeat(),
            13 => self.guarded(),
            14 => self.locked(),
            15 => {
                // A value that is not known decides.
                let (yes, no) = (self.label(), self.label());
                match self.rng.below(3) {
                    0 => self.line("call s128 = f111()"),
                    _ => self.line("unknown s128:8 = c0"),
                }
                self.line("bin_imm eq u32 s136 = s128, 0");
                self.line(&format!("branch s136, {yes}, {no}"));
                self.place(&yes);
                self.seen_block();
                self.place(&no);
            }
            16 if self.func + 1 < self.count => {
                let callee = self.func + 1 + self.rng.below(self.count - self.func - 1);
                self.line(&format!("fn_addr s104 = f{callee}"));
                self.line("fn_addr s112 = f91");
                self.line(&format!("catch_unwind s120 = *s104, s{a}, *s112"));
            }
            17 if self.rng.chance(1, 6) => {
                self.line("const s104:8 = 1");
                self.line("const s112:8 = 2");
                self.line("call s120 = f106(s104)");
                self.line("unreachable");
                let next = self.label();
                self.place(&next);
            }
            _ => self.call(),
        }
    }

    /// A loop with a counter of its own, where no statement writes.
    fn repeat(&mut self) {
        let (again, done) = (self.label(), self.label());
        let slot = 144 + 8 * self.depth;
        let times = 1 + self.rng.below(5);
        // Counters lie behind the frame that other statements use.
        self.line(&format!("const s{slot}:8 = {times}"));
        self.place(&again);
        self.block();
        self.line(&format!("bin_imm sub u64 s{slot} = s{slot}, 1"));
        self.line(&format!("bin_imm ne u64 s136 = s{slot}, 0"));
        self.line(&format!("branch s136, {again}, {done}"));
        self.place(&done);
    }

    /// A block with a cleanup.
    fn guarded(&mut self) {
        let (start, end, cleanup, next) = (self.label(), self.label(), self.label(), self.label());
        self.place(&start);
        self.block();
        self.call();
        self.place(&end);
        self.line(&format!("jump {next}"));
        self.place(&cleanup);
        let value = self.value();
        self.line(&format!("call s104 = f93(s{value})"));
        if self.rng.chance(1, 3) {
            // Inner ranges come first.
            let start = self.label();
            self.place(&start);
            self.call();
            let end = self.label();
            self.place(&end);
            let _ = writeln!(self.ranges, "  on_unwind {start}..{end} -> {cleanup} cleanup");
        }
        self.line("unwind");
        self.place(&next);
        let _ = writeln!(self.ranges, "  on_unwind {start}..{end} -> {cleanup}");
    }

    fn locked(&mut self) {
        let global = self.rng.below(2);
        self.line(&format!("global_addr s128 = g{global}"));
        self.line("call s120 = f102(s128)");
        self.block();
        self.line(&format!("global_addr s128 = g{global}"));
        self.line("call s120 = f103(s128)");
    }
}
