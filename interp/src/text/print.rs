//! Printing the textual IR.

use crate::ir::{Body, Code, CodeFlags, FRAME_ALIGN, FnId, Instr, Pc, Site};
use crate::text::lex::quote;
use crate::text::names::Named;
use crate::text::{LOCATION, Module, codec, syntax};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// The output so far.
#[derive(Default)]
pub(super) struct Printer {
    out: String,
    /// Number of instructions of the current function; a position beyond has no label.
    len: usize,
}

impl Printer {
    pub(super) fn put(&mut self, args: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(args);
    }

    pub(super) fn put_pc(&mut self, pc: Pc) {
        let mark = if pc as usize <= self.len { 'L' } else { '%' };
        self.put(format_args!("{mark}{pc}"));
    }

    pub(super) fn list<T>(&mut self, open: &str, items: &[T], close: &str, print: impl Fn(&mut Printer, &T)) {
        self.out.push_str(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            print(self, item);
        }
        self.out.push_str(close);
    }

    fn code(&mut self, func: FnId, code: &Code) {
        let sized = |p: &mut Printer, &(slot, size): &(u32, u32)| p.put(format_args!("s{slot}:{size}"));
        self.len = code.instrs.len();
        self.put(format_args!("fn f{} {} ", func.0, quote(code.name.as_bytes())));
        self.list("(", &code.params, ")", sized);
        self.put(format_args!(" -> s{}:{} frame {}", code.ret.0, code.ret.1, code.frame_size));
        if code.frame_align != FRAME_ALIGN {
            self.put(format_args!(" align {}", code.frame_align));
        }
        for (name, on) in flags(&code.flags) {
            if on {
                self.put(format_args!(" {name}"));
            }
        }
        if let Some(api) = code.flags.api {
            let (write, through) = (api.write.then_some(" write"), api.through_handle.then_some(" through_handle"));
            self.put(format_args!(" api {}{}{}", api.family, write.unwrap_or(""), through.unwrap_or("")));
        }
        if let Some(name) = &code.flags.waits_for {
            self.put(format_args!(" waits_for {}", name.text()));
        }
        match &code.body {
            Body::Ir => {}
            Body::Model { model, consts } => {
                self.put(format_args!(" = model {} ", model.0));
                self.list("(", consts, ")", codec::num::print);
            }
            Body::Fast { model, consts, real } => {
                self.put(format_args!(" = fast {} ", model.0));
                self.list("(", consts, ")", codec::num::print);
                self.put(format_args!(" real f{}", real.0));
            }
            Body::Unknown { cause } => self.put(format_args!(" = unknown c{}", cause.0)),
        }
        if code.body == Body::Ir || !code.instrs.is_empty() || !code.unwind.is_empty() {
            self.block(code);
        }
        self.out.push('\n');
    }

    fn block(&mut self, code: &Code) {
        let mut labels = BTreeSet::new();
        for instr in &code.instrs {
            targets(instr, &mut |pc| labels.extend([pc as usize]));
        }
        for range in &code.unwind {
            labels.extend([range.start, range.end, range.target].map(|pc| pc as usize));
        }
        self.out.push_str(" {\n");
        for pc in 0..=code.instrs.len() {
            if labels.contains(&pc) {
                self.put(format_args!("L{pc}:\n"));
            }
            let Some(instr) = code.instrs.get(pc) else {
                break;
            };
            self.out.push_str("  ");
            syntax::print(self, instr);
            if let Some(site) = code.sites.get(pc).filter(|site| **site != Site::NONE) {
                self.put(format_args!(" @{}", site.0));
            }
            self.out.push('\n');
        }
        for range in &code.unwind {
            self.out.push_str("  on_unwind ");
            self.put_pc(range.start);
            self.out.push_str("..");
            self.put_pc(range.end);
            self.out.push_str(" -> ");
            self.put_pc(range.target);
            self.out.push_str(if range.in_cleanup { " cleanup\n" } else { "\n" });
        }
        self.out.push('}');
    }
}

/// The flags with their names, and whether they are set.
fn flags(flags: &CodeFlags) -> [(&'static str, bool); 11] {
    let &CodeFlags {
        is_std,
        is_local,
        is_sync_api,
        is_atomic_api,
        counts_owners,
        drops_owner,
        track_caller,
        no_unwind,
        is_coroutine,
        is_shim,
        is_mistyped,
        ..
    } = flags;
    [
        ("std", is_std),
        ("local", is_local),
        ("sync_api", is_sync_api),
        ("atomic_api", is_atomic_api),
        ("counts_owners", counts_owners),
        ("drops_owner", drops_owner),
        ("track_caller", track_caller),
        ("no_unwind", no_unwind),
        ("coroutine", is_coroutine),
        ("shim", is_shim),
        ("mistyped", is_mistyped),
    ]
}

/// Calls `f` with the jump targets of an instruction.
pub(super) fn targets(instr: &Instr, f: &mut dyn FnMut(Pc)) {
    match instr {
        Instr::Jump { to } => f(*to),
        Instr::Branch { yes, no, .. } => [*yes, *no].into_iter().for_each(f),
        Instr::Switch { table, default, .. } => {
            table.iter().for_each(|entry| f(entry.1));
            f(*default);
        }
        Instr::Suspend { resume, drop, .. } => [*resume, *drop].into_iter().for_each(f),
        _ => {}
    }
}

/// The text of one function, as [`parse`](crate::text::parse) reads it.
pub fn code_to_string(func: FnId, code: &Code) -> String {
    let mut printer = Printer::default();
    printer.code(func, code);
    printer.out
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (&func, code) in &self.functions {
            f.write_str(&code_to_string(func, code))?;
        }
        for (id, global) in &self.globals {
            let (name, size, align) = (quote(global.name.as_bytes()), global.size, global.align);
            write!(f, "global g{} {name} size {size} align {align} init f{}", id.0, global.init.0)?;
            f.write_str(if global.is_static { " static" } else { "" })?;
            f.write_str(if global.thread_local { " thread_local" } else { "" })?;
            match global.lost {
                Some(cause) => writeln!(f, " lost c{}", cause.0)?,
                None => writeln!(f)?,
            }
        }
        for (id, bytes) in &self.data {
            writeln!(f, "data d{} {}", id.0, quote(bytes))?;
        }
        for (id, vtable) in &self.vtables {
            let (name, size, align) = (quote(vtable.name.as_bytes()), vtable.size, vtable.align);
            write!(f, "vtable v{} {name} size {size} align {align}", id.0)?;
            if let Some(drop) = vtable.drop {
                write!(f, " drop f{}", drop.0)?;
            }
            let mut printer = Printer::default();
            printer.list("[", &vtable.methods, "]", |p, method| match method {
                Some(method) => codec::func::print(p, method),
                None => p.put(format_args!("none")),
            });
            writeln!(f, " {}", printer.out)?;
        }
        for (id, text) in &self.causes {
            writeln!(f, "cause c{} {}", id.0, quote(text.as_bytes()))?;
        }
        for (trap, func) in &self.traps {
            writeln!(f, "trap {} f{}", trap.text(), func.0)?;
        }
        for (known, func) in &self.known {
            writeln!(f, "known {} f{}", known.text(), func.0)?;
        }
        if self.location != LOCATION {
            let layout = self.location;
            let (size, file, line, column) = (layout.size, layout.file, layout.line, layout.column);
            writeln!(f, "location size {size} file {file} line {line} column {column}")?;
        }
        Ok(())
    }
}
