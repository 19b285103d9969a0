//! Operators and assignment.

use super::{cx::Cx, operand::negative};
use crate::ir::{BinOp, Callee, Operand, Place, Rvalue, Stmt, Term};
use hir_def::hir::{ArithOp, BinaryOp, CmpOp, Expr, ExprId, LogicOp, Ordering, Pat, PatId, UnaryOp};
use hir_ty::{
    Adjust,
    next_solver::{Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

impl<'db> Cx<'_, 'db> {
    pub(super) fn unary_into(&mut self, dest: Place, expr: ExprId, inner: ExprId, op: UnaryOp) {
        if op == UnaryOp::Neg && self.syntax.negative.contains(&expr) {
            return self.expr_into(dest, inner);
        }
        let ty = self.norm(self.bare_ty(inner));
        if is_scalar(ty) {
            let operand = self.bare_operand(inner);
            let rvalue = match op {
                UnaryOp::Not => Rvalue::Not(operand),
                // A negated literal is a constant: `-128i8` does not overflow.
                UnaryOp::Neg => match operand {
                    Operand::Const(constant) => match negative(constant) {
                        Ok(constant) => Rvalue::Use(Operand::Const(constant)),
                        Err(constant) => Rvalue::Neg(Operand::Const(constant)),
                    },
                    operand => Rvalue::Neg(operand),
                },
                UnaryOp::Deref => return self.gap_into(dest, "dereference of a scalar"),
            };
            return self.assign(dest, rvalue);
        }
        match self.infer.method_resolution(expr) {
            Some((func, args)) => {
                let operand = self.operand(inner);
                self.call(dest, Callee::Fn(func, args.store()), vec![operand]);
            }
            None => self.gap_into(dest, "unresolved operator"),
        }
    }

    /// How many adjustments of a built-in operator's operand apply: inference also records the autoref of the
    /// overloaded form.
    fn kept_adjustments(&self, expr: ExprId) -> usize {
        let list = self.infer.expr_adjustment(expr).unwrap_or_default();
        match list.last() {
            Some(last) if matches!(last.kind, Adjust::Borrow(_)) => list.len() - 1,
            _ => list.len(),
        }
    }

    /// The operand of a built-in operator that is evaluated last: nothing can change a variable before its use.
    fn bare_operand(&mut self, expr: ExprId) -> Operand {
        let kept = self.kept_adjustments(expr);
        if kept == 0 && self.local_binding(expr).is_some() {
            return Operand::Use(self.place_adjusted(expr, 0));
        }
        self.bare_value(expr)
    }

    /// Like [`Self::bare_operand`], in a new temporary.
    fn bare_value(&mut self, expr: ExprId) -> Operand {
        let kept = self.kept_adjustments(expr);
        if kept == 0
            && let Some(constant) = self.bare_constant(expr)
        {
            return constant;
        }
        if self.infer.expr_adjustment(expr).map_or(0, <[_]>::len) == kept {
            return self.operand(expr);
        }
        let place = self.place_adjusted(expr, kept);
        let ty = self.adjusted_ty(expr, kept);
        let local = self.scratch(ty);
        self.assign(local, Rvalue::Use(Operand::Use(place)));
        local.into()
    }

    pub(super) fn binary_into(&mut self, dest: Place, expr: ExprId, lhs: ExprId, rhs: ExprId, op: Option<BinaryOp>) {
        let Some(op) = op else { return self.gap_into(dest, "incomplete operator") };
        if let BinaryOp::LogicOp(op) = op {
            return self.logic_into(dest, expr, lhs, rhs, op);
        }
        let lhs_ty = self.norm(self.bare_ty(lhs));
        let rhs_ty = self.norm(self.bare_ty(rhs));
        if is_builtin(op, lhs_ty, rhs_ty) {
            return self.builtin_binary_into(dest, lhs, rhs, op);
        }
        match self.infer.method_resolution(expr) {
            Some((func, args)) => {
                let operands = self.operands(&[lhs, rhs]);
                self.call(dest, Callee::Fn(func, args.store()), operands);
            }
            None => {
                self.expr_for_effect(lhs);
                self.expr_for_effect(rhs);
                self.gap_into(dest, "unresolved operator");
            }
        }
    }

    fn builtin_binary_into(&mut self, dest: Place, lhs: ExprId, rhs: ExprId, op: BinaryOp) {
        match op {
            BinaryOp::Assignment { op: Some(op) } => {
                // A built-in compound assignment evaluates its right side first (Reference, "Compound assignment").
                // Evaluating the left side, unless it is a variable, may change a variable on the right.
                let is_variable = self.local_binding(lhs).is_some();
                let rhs = if is_variable { self.bare_operand(rhs) } else { self.bare_value(rhs) };
                let kept = self.kept_adjustments(lhs);
                let place = self.place_adjusted(lhs, kept);
                let current = Operand::Use(place.clone());
                self.assign(place, arith(op, current, rhs));
            }
            BinaryOp::Assignment { op: None } | BinaryOp::LogicOp(_) => {
                self.gap_into(dest, "operator");
            }
            BinaryOp::ArithOp(op) => {
                let lhs = self.ordered_operand(lhs, rhs);
                let rhs = self.bare_operand(rhs);
                self.assign(dest, arith(op, lhs, rhs));
            }
            BinaryOp::CmpOp(op) => {
                let lhs = self.ordered_operand(lhs, rhs);
                let rhs = self.bare_operand(rhs);
                let op = match op {
                    CmpOp::Eq { negated: false } => BinOp::Eq,
                    CmpOp::Eq { negated: true } => BinOp::Ne,
                    CmpOp::Ord { ordering: Ordering::Less, strict: true } => BinOp::Lt,
                    CmpOp::Ord { ordering: Ordering::Less, strict: false } => BinOp::Le,
                    CmpOp::Ord { ordering: Ordering::Greater, strict: true } => BinOp::Gt,
                    CmpOp::Ord { ordering: Ordering::Greater, strict: false } => BinOp::Ge,
                };
                self.assign(dest, Rvalue::Bin(op, lhs, rhs));
            }
        }
    }

    /// The left operand, which must not change while the right one is evaluated.
    fn ordered_operand(&mut self, lhs: ExprId, rhs: ExprId) -> Operand {
        let rhs_is_simple = matches!(self.store[rhs], Expr::Literal(_)) || self.local_binding(rhs).is_some();
        if rhs_is_simple { self.bare_operand(lhs) } else { self.bare_value(lhs) }
    }

    fn logic_into(&mut self, dest: Place, expr: ExprId, lhs: ExprId, rhs: ExprId, op: LogicOp) {
        if op == LogicOp::And && self.has_let(expr) {
            return self.condition_into(dest, expr);
        }
        // Each operand is its own temporary scope.
        self.in_temporary_scope(|cx| cx.expr_into(dest.clone(), lhs));
        let (more, after) = (self.new_block(), self.new_block());
        let (yes, no) = match op {
            LogicOp::And => (more, after),
            LogicOp::Or => (after, more),
        };
        self.terminate(Term::If(Operand::Use(dest.clone()), yes, no));
        self.cur = more;
        self.in_temporary_scope(|cx| cx.expr_into(dest, rhs));
        self.goto_and_continue(after);
    }

    /// `target = value`.
    pub(super) fn assignment(&mut self, target: PatId, value: ExprId) {
        match self.store[target] {
            Pat::Expr(place_expr) if !matches!(self.store[place_expr], Expr::Underscore) => {
                let ty = self.ty(value);
                if self.needs_drop(ty) {
                    let new = self.value_local(value);
                    let place = self.place(place_expr);
                    self.replace(place, new.into());
                } else {
                    let new = self.operand(value);
                    let place = self.place(place_expr);
                    self.assign(place, Rvalue::Use(new));
                }
            }
            _ => self.assign_pattern(target, value),
        }
    }

    /// Drops the old value at `place` and writes `new`, even if the drop panics.
    pub(super) fn replace(&mut self, place: Place, new: Operand) {
        let below = match self.unwind_target() {
            Some(below) => below,
            None => self.resume_block(),
        };
        let store = Stmt::Assign(place.clone(), Rvalue::Use(new.clone()));
        let cleanup = self.cleanup_block(store, below);
        self.push_with_unwind(Stmt::Drop(place.clone()), Some(cleanup));
        self.assign(place, Rvalue::Use(new));
    }
}

fn arith(op: ArithOp, lhs: Operand, rhs: Operand) -> Rvalue {
    match op {
        ArithOp::Add => Rvalue::Checked(BinOp::Add, lhs, rhs),
        ArithOp::Sub => Rvalue::Checked(BinOp::Sub, lhs, rhs),
        ArithOp::Mul => Rvalue::Checked(BinOp::Mul, lhs, rhs),
        ArithOp::Div => Rvalue::Checked(BinOp::Div, lhs, rhs),
        ArithOp::Rem => Rvalue::Checked(BinOp::Rem, lhs, rhs),
        ArithOp::Shl => Rvalue::Checked(BinOp::Shl, lhs, rhs),
        ArithOp::Shr => Rvalue::Checked(BinOp::Shr, lhs, rhs),
        ArithOp::BitXor => Rvalue::Bin(BinOp::Xor, lhs, rhs),
        ArithOp::BitOr => Rvalue::Bin(BinOp::Or, lhs, rhs),
        ArithOp::BitAnd => Rvalue::Bin(BinOp::And, lhs, rhs),
    }
}

fn is_scalar(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Uint(_) | TyKind::Float(_))
}

/// Whether an operator on these types is built in rather than a trait's.
fn is_builtin(op: BinaryOp, lhs: Ty<'_>, rhs: Ty<'_>) -> bool {
    if matches!(op, BinaryOp::CmpOp(_)) {
        let pointers = |it: Ty<'_>| matches!(it.kind(), TyKind::RawPtr(..));
        if pointers(lhs) && pointers(rhs) {
            return true;
        }
    }
    let shift = matches!(
        op,
        BinaryOp::ArithOp(ArithOp::Shl | ArithOp::Shr) | BinaryOp::Assignment { op: Some(ArithOp::Shl | ArithOp::Shr) }
    );
    is_scalar(lhs) && is_scalar(rhs) && (shift || lhs.store() == rhs.store())
}
