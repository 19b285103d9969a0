//! Prints the generic IR, for tests and debugging.
//!
//! ```text
//! fn (2 params) -> _0
//!   bb0 !bb2:
//!     _3 = call f(_1, 5)
//!     drop _3
//!     return
//! ```
//!
//! `!bb2` is the target of a panic, `cleanup` marks blocks that run while unwinding. Types are omitted.

use super::{
    Aggregate, BinOp, Block, BlockId, BodyIr, Callee, Const, LocalId, Operand, Place, Proj, Rvalue, Stmt, Term,
};
use hir_def::FunctionId;
use ra_ap_hir_def as hir_def;
use std::fmt::Write as _;

/// The text of a body; `name` returns the name of a function.
pub fn body(ir: &BodyIr, name: &dyn Fn(FunctionId) -> String) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{:?} ({} params)", ir.kind, ir.params);
    for (index, local) in ir.locals.iter().enumerate() {
        if let Some(name) = &local.name {
            let _ = writeln!(text, "  let _{index} `{name}`");
        }
    }
    for (index, block) in ir.blocks.iter().enumerate() {
        print_block(&mut text, BlockId(index as u32), block, name);
    }
    for gap in &ir.gaps {
        let _ = writeln!(text, "  gap: {}", gap.cause);
    }
    for (index, promoted) in ir.promoted.iter().enumerate() {
        let _ = write!(text, "promoted {index}: {}", self::body(promoted, name));
    }
    text
}

fn print_block(text: &mut String, id: BlockId, block: &Block, name: &dyn Fn(FunctionId) -> String) {
    let cleanup = if block.is_cleanup { " cleanup" } else { "" };
    let unwind = block.unwind.map_or_else(String::new, |it| format!(" !bb{}", it.0));
    let _ = writeln!(text, "  bb{}{cleanup}{unwind}:", id.0);
    for (stmt, _) in &block.stmts {
        // Storage markers are omitted: they are frequent and rarely useful.
        if !matches!(stmt, Stmt::StorageDead(_)) {
            let _ = writeln!(text, "    {}", statement(stmt, name));
        }
    }
    let _ = writeln!(text, "    {}", term(&block.term.0));
}

fn statement(stmt: &Stmt, name: &dyn Fn(FunctionId) -> String) -> String {
    match stmt {
        Stmt::Assign(dest, value) => format!("{} = {}", place(dest), rvalue(value)),
        Stmt::Call { dest, callee, args } => {
            let callee = match callee {
                Callee::Fn(func, _) => name(*func),
                Callee::Value(value) => format!("({})", operand(value)),
            };
            format!("{} = call {callee}({})", place(dest), operands(args))
        }
        Stmt::Drop(it) => format!("drop {}", place(it)),
        Stmt::FreeBox(it) => format!("free box {}", place(it)),
        Stmt::Bounds { index, of } => format!("bounds {} in {}", local(*index), place(of)),
        Stmt::StorageDead(it) => format!("dead {}", local(*it)),
        Stmt::Await => "await".to_owned(),
        Stmt::Omitted(gap) => format!("omitted (gap {gap})"),
    }
}

fn term(term: &Term) -> String {
    let table = |table: &[String], default: &BlockId| format!("[{}, else bb{}]", table.join(", "), default.0);
    match term {
        Term::Goto(to) => format!("goto bb{}", to.0),
        Term::If(condition, yes, no) => format!("if {} bb{} else bb{}", operand(condition), yes.0, no.0),
        Term::Switch(value, cases, default) => {
            let cases: Vec<_> = cases.iter().map(|(value, to)| format!("{value}: bb{}", to.0)).collect();
            format!("switch {} {}", operand(value), table(&cases, default))
        }
        Term::Variant(of, cases, default) => {
            let cases: Vec<_> = cases.iter().map(|(variant, to)| format!("#{variant}: bb{}", to.0)).collect();
            format!("variant of {} {}", place(of), table(&cases, default))
        }
        Term::Return => "return".to_owned(),
        Term::Resume => "resume".to_owned(),
        Term::Unreachable => "unreachable".to_owned(),
        Term::Suspend { arg, resume, drop } => {
            format!("suspend {} resume bb{} drop bb{}", place(arg), resume.0, drop.0)
        }
    }
}

fn rvalue(value: &Rvalue) -> String {
    match value {
        Rvalue::Use(it) => operand(it),
        Rvalue::Ref(it) => format!("&{}", place(it)),
        Rvalue::Static(_) => "&static".to_owned(),
        Rvalue::Promoted(index) => format!("&promoted {index}"),
        Rvalue::Bin(op, a, b) => format!("{} {} {}", operand(a), operator(*op), operand(b)),
        Rvalue::Checked(op, a, b) => format!("checked {} {} {}", operand(a), operator(*op), operand(b)),
        Rvalue::Not(it) => format!("!{}", operand(it)),
        Rvalue::Neg(it) => format!("-{}", operand(it)),
        Rvalue::Cast(it, _) => format!("cast {}", operand(it)),
        Rvalue::Unsize(it, _) => format!("unsize {}", operand(it)),
        Rvalue::FnPtr(it, _) => format!("fn pointer {}", operand(it)),
        Rvalue::Aggregate(kind, fields) => {
            let kind = match kind {
                Aggregate::Plain => "",
                Aggregate::Variant(_) => "variant ",
                Aggregate::Union(..) => "union ",
                Aggregate::Captures => "captures ",
            };
            format!("{kind}{{{}}}", operands(fields))
        }
        Rvalue::Repeat(it) => format!("[{}; _]", operand(it)),
        Rvalue::Len(it) => format!("len {}", place(it)),
        Rvalue::Discriminant(it) => format!("discriminant {}", place(it)),
        Rvalue::OffsetOf(_, path) => format!("offset of {path:?}"),
        Rvalue::Unknown(gap) => format!("unknown (gap {gap})"),
    }
}

fn operator(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}

fn operands(all: &[Operand]) -> String {
    all.iter().map(operand).collect::<Vec<_>>().join(", ")
}

fn operand(it: &Operand) -> String {
    match it {
        Operand::Use(it) => place(it),
        Operand::Const(it) => match it {
            Const::Int(value, _) => value.to_string(),
            Const::Float(text, _) => text.to_string(),
            Const::Str(text) => format!("{text:?}"),
            Const::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
            Const::CStr(bytes) => format!("c\"{}\"", bytes.escape_ascii()),
            Const::Zst(_) => "()".to_owned(),
            Const::Item(..) => "const".to_owned(),
            Const::Param(..) => "const parameter".to_owned(),
            Const::Ctor(_) => "constructor".to_owned(),
            Const::Line => "line!()".to_owned(),
            Const::Column => "column!()".to_owned(),
            Const::File => "file!()".to_owned(),
        },
    }
}

fn place(it: &Place) -> String {
    let mut text = local(it.local);
    for proj in &it.proj {
        match proj {
            Proj::Deref => text = format!("(*{text})"),
            Proj::Field(index) => text.push_str(&format!(".{index}")),
            Proj::Downcast(variant) => text = format!("({text} as #{variant})"),
            Proj::Index(index) => text.push_str(&format!("[{}]", local(*index))),
            Proj::ConstIndex { offset, from_end: false } => text.push_str(&format!("[{offset}]")),
            Proj::ConstIndex { offset, from_end: true } => text.push_str(&format!("[-{}]", offset + 1)),
            Proj::Subslice { from, to } => text.push_str(&format!("[{from}..-{to}]")),
        }
    }
    text
}

fn local(it: LocalId) -> String {
    format!("_{}", it.0)
}
