//! Inline assembly: the few templates that are understood.

use super::cx::Cx;
use crate::ir::{Callee, Const, LocalId, Operand, Place, Rvalue, Term};
use crate::std_models;
use hir_def::{
    expr_store::path::Path,
    hir::{AsmOperand, AsmOptions, ExprId, InlineAsm, InlineAsmRegOrRegClass},
    resolver::ValueNs,
};
use hir_expand::name::Name;
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// The registers of a system call's arguments on x86_64 Linux, in their order.
const ARGUMENTS: [&str; 6] = ["rdi", "rsi", "rdx", "r10", "r8", "r9"];
/// The register of its number and of its result.
const NUMBER: &str = "rax";

/// A system call by the instruction for it: its number and arguments, and where its result goes.
struct SystemCall<'db> {
    number: ExprId,
    arguments: [Option<ExprId>; 6],
    result: Option<(Place, Ty<'db>)>,
}

impl<'db> Cx<'_, 'db> {
    pub(super) fn assembly_into(&mut self, dest: Place, expr: ExprId, asm: &InlineAsm) {
        let known = self.syntax.clone();
        let known = known.assembly.get(&expr);
        let template = known.map_or("", |it| it.template.trim());
        let outputs = known.map_or(&[][..], |it| &it.outputs[..]);
        let is_final = asm.options.contains(AsmOptions::NORETURN);
        if let Some(func) = std_models::assembly(self.db, self.resolver.krate(), template)
            && let [(_, AsmOperand::In { expr: pointer, .. })] = asm.operands[..]
            && matches!(self.ty(pointer).kind(), TyKind::RawPtr(..))
        {
            let pointer = self.operand(pointer);
            let generic = GenericArgs::empty(self.interner());
            return self.call(dest, Callee::Fn(func, generic.store()), vec![pointer]);
        }
        if (template == "syscall" || template == "syscall\nud2" && is_final)
            && let Some(call) = self.system_call(expr, asm, outputs)
            && let Some(()) = self.system_call_into(call)
        {
            if is_final {
                self.diverge(Term::Unreachable);
            }
            return;
        }
        if known.is_some()
            && is_without_instruction(template)
            && !is_final
            && asm.operands.iter().all(|(_, it)| matches!(it, AsmOperand::In { .. } | AsmOperand::InOut { .. }))
        {
            // It only hides the values from the optimiser.
            for (_, operand) in &asm.operands {
                match *operand {
                    AsmOperand::In { expr, .. } => drop(self.operand(expr)),
                    AsmOperand::InOut { expr, .. } => drop(self.place(expr)),
                    _ => {}
                }
            }
            return;
        }
        let mut outputs = outputs.iter();
        for (_, operand) in &asm.operands {
            let output = match *operand {
                AsmOperand::Out { expr: Some(out), .. } | AsmOperand::InOut { expr: out, .. } => Some(self.place(out)),
                AsmOperand::SplitInOut { .. } => {
                    outputs.next().and_then(Option::as_ref).and_then(|name| self.variable(expr, name))
                }
                _ => None,
            };
            if let Some(place) = output {
                self.gap_into(place, "inline assembly");
            }
        }
        self.gap_into(dest, "inline assembly");
    }

    /// The place of the variable with this name at an expression.
    fn variable(&mut self, expr: ExprId, name: &Name) -> Option<Place> {
        let guard = self.resolver.update_to_inner_scope(self.db, self.store_owner, expr);
        let hygiene = self.store.expr_path_hygiene(expr);
        let path = Path::from(name.clone());
        let found = self.resolver.resolve_path_in_value_ns_fully(self.db, &path, hygiene);
        self.resolver.reset_to_guard(guard);
        match found {
            Some(ValueNs::LocalBinding(it)) => Some(self.binding_place(it)),
            _ => None,
        }
    }

    /// Reads the operands of a system call; `None` if one is not what such a call has.
    fn system_call(&mut self, expr: ExprId, asm: &InlineAsm, outputs: &[Option<Name>]) -> Option<SystemCall<'db>> {
        let (mut number, mut arguments, mut result) = (None, [None; 6], None);
        let mut outputs = outputs.iter();
        for (_, operand) in &asm.operands {
            let (reg, input, output) = match operand {
                AsmOperand::In { reg, expr } => (reg, Some(*expr), None),
                AsmOperand::Out { reg, expr, .. } => (reg, None, expr.map(|it| self.place(it))),
                AsmOperand::InOut { reg, expr, .. } => (reg, Some(*expr), Some(self.place(*expr))),
                AsmOperand::SplitInOut { reg, in_expr, .. } => {
                    let output = match outputs.next()? {
                        Some(name) => Some(self.variable(expr, name)?),
                        None => None,
                    };
                    (reg, Some(*in_expr), output)
                }
                AsmOperand::Const(_) | AsmOperand::Label(_) | AsmOperand::Sym(_) => return None,
            };
            let InlineAsmRegOrRegClass::Reg(reg) = reg else { return None };
            let reg = reg.as_str().trim_matches('"');
            if reg == NUMBER {
                number = number.or(input);
                result = result.or(output);
            } else if let Some(index) = ARGUMENTS.iter().position(|it| *it == reg) {
                // The kernel leaves these as they were.
                if output.is_some() {
                    return None;
                }
                arguments[index] = input;
            } else if input.is_some() || output.is_some() {
                return None;
            }
        }
        let result = match result {
            Some(place) => {
                let ty = self.place_ty(&place);
                is_word(ty).then_some(())?;
                Some((place, ty))
            }
            None => None,
        };
        Some(SystemCall { number: number?, arguments, result })
    }

    /// Makes a system call; `None` if a value in it is none that a register takes.
    fn system_call_into(&mut self, call: SystemCall<'db>) -> Option<()> {
        let func = std_models::system_call(self.db, self.resolver.krate())?;
        let all = [Some(call.number)].into_iter().chain(call.arguments);
        let inputs: Vec<Option<ExprId>> = all.collect();
        inputs.iter().flatten().all(|it| is_word(self.ty(*it))).then_some(())?;
        let word = self.usize_ty();
        let zero = Operand::Const(Const::Int(0, word.store()));
        let mut arguments = Vec::new();
        for input in inputs {
            let argument = match input {
                Some(input) => {
                    let operand = self.operand(input);
                    let local = self.scratch(word);
                    self.assign(local, Rvalue::Cast(operand, word.store()));
                    local.into()
                }
                None => zero.clone(),
            };
            arguments.push(argument);
        }
        let result: LocalId = self.scratch(word);
        self.call(result, Callee::Fn(func, GenericArgs::empty(self.interner()).store()), arguments);
        if let Some((place, ty)) = call.result {
            self.assign(place, Rvalue::Cast(Operand::from(result), ty.store()));
        }
        Some(())
    }
}

/// Whether values of a type fit into a register.
fn is_word(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), TyKind::RawPtr(..) | TyKind::Int(_) | TyKind::Uint(_))
}

/// Whether a template of inline assembly consists of comments and `nop`s.
fn is_without_instruction(template: &str) -> bool {
    let mut rest = template;
    let mut code = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        let Some((_, after)) = comment.split_once("*/") else { return false };
        rest = after;
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.flat_map(|line| line.split(';')).all(|it| matches!(it.trim(), "" | "nop"))
}
