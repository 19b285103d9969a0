//! Expressions as operands.

use super::cx::Cx;
use crate::{
    ir::{Const, LocalId, Operand, Place, Rvalue},
    workarounds::{binary_includes, macro_constants},
};
use hir_def::hir::{Expr, ExprId, Literal};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{TypeVisitableExt as _, inherent::IntoKind};
use std::{borrow::Cow, mem::discriminant};

/// The cause of an unknown value: its expression has another type than the one that it must have.
pub(super) const OF_ANOTHER_TYPE: &str = "an expression of another type";

impl<'db> Cx<'_, 'db> {
    /// The value of an expression.
    pub(super) fn operand(&mut self, expr: ExprId) -> Operand {
        if self.is_of_another_type(expr) {
            self.value_local(expr);
            let local = self.scratch(self.error_ty());
            self.at(expr, |cx| cx.gap_into(local.into(), OF_ANOTHER_TYPE));
            return local.into();
        }
        if let Some(constant) = self.constant_operand(expr) {
            return constant;
        }
        self.value_local(expr).into()
    }

    /// The values of several expressions, left to right.
    pub(super) fn operands(&mut self, exprs: &[ExprId]) -> Vec<Operand> {
        // A plain variable need not be copied if nothing evaluated after it can change it.
        let mut result = Vec::with_capacity(exprs.len());
        for (index, &expr) in exprs.iter().enumerate() {
            let rest_is_simple = exprs[index + 1..].iter().all(|&it| self.is_simple(it));
            if rest_is_simple && self.is_local_path(expr) && !self.is_of_another_type(expr) {
                let place = self.place(expr);
                result.push(Operand::Use(place));
            } else {
                result.push(self.operand(expr));
            }
        }
        result
    }

    /// Whether an expression of the workspace has a known type that is not the one it must have: rustc refuses the program.
    /// Dependencies are compiled as they are; where rust-analyzer finds another type in them, it is wrong.
    fn is_of_another_type(&self, expr: ExprId) -> bool {
        self.infer.expr_has_type_mismatch(expr)
            && !self.ty(expr).references_error()
            && self.resolver.krate().data(self.db).origin.is_local()
    }

    /// Whether an expression has another type than its destination, by the kinds of both.
    pub(super) fn is_of_another_kind(&self, expr: ExprId, dest: &Place) -> bool {
        if !self.is_of_another_type(expr) {
            return false;
        }
        match (self.ty(expr).kind(), self.place_ty(dest).kind()) {
            (TyKind::Int(one), TyKind::Int(other)) => one != other,
            (TyKind::Uint(one), TyKind::Uint(other)) => one != other,
            (TyKind::Float(one), TyKind::Float(other)) => one != other,
            (TyKind::Adt(one, _), TyKind::Adt(other, _)) => one.def_id() != other.def_id(),
            (TyKind::Tuple(one), TyKind::Tuple(other)) => one.len() != other.len(),
            (one, other) => is_plain(&one) && is_plain(&other) && discriminant(&one) != discriminant(&other),
        }
    }

    /// Whether it is only a variable or a literal.
    fn is_simple(&self, expr: ExprId) -> bool {
        matches!(self.store[expr], Expr::Literal(_)) || self.is_local_path(expr)
    }

    fn is_local_path(&self, expr: ExprId) -> bool {
        self.infer.expr_adjustment(expr).is_none_or(<[_]>::is_empty)
            && matches!(self.store[expr], Expr::Path(_))
            && self.local_binding(expr).is_some()
    }

    /// A literal needs no temporary.
    fn constant_operand(&mut self, expr: ExprId) -> Option<Operand> {
        if self.infer.expr_adjustment(expr).is_some_and(|it| !it.is_empty()) {
            return None;
        }
        self.bare_constant(expr)
    }

    /// The same without adjustments.
    pub(super) fn bare_constant(&mut self, expr: ExprId) -> Option<Operand> {
        let Expr::Literal(literal) = &self.store[expr] else { return None };
        if let Some(constant) = self.macro_constant(expr, literal) {
            let value = self.made_by_macro(constant);
            let local = self.scratch(self.bare_ty(expr));
            self.at(expr, |cx| cx.assign(local, value));
            return Some(local.into());
        }
        let ty = self.bare_ty(expr);
        Some(Operand::Const(self.signed_literal(expr, literal, ty)))
    }

    /// A temporary that holds the value of `expr`, scheduled for drop.
    pub(super) fn value_local(&mut self, expr: ExprId) -> LocalId {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.value_local_adjusted(expr, adjustments)
    }

    pub(super) fn value_local_adjusted(&mut self, expr: ExprId, adjustments: usize) -> LocalId {
        let ty = self.adjusted_ty(expr, adjustments);
        let scope = self.scope_of_temporary(expr);
        let local = self.temporary(ty);
        self.expr_into_adjusted(local.into(), expr, adjustments);
        self.schedule(scope, local);
        local
    }

    /// The type after the first `adjustments` adjustments.
    pub(super) fn adjusted_ty(&self, expr: ExprId, adjustments: usize) -> Ty<'db> {
        match adjustments {
            0 => self.bare_ty(expr),
            n => match self.infer.expr_adjustment(expr) {
                Some(list) => self.with_length(expr, list[n - 1].target.as_ref()),
                None => self.bare_ty(expr),
            },
        }
    }

    /// The value of a built-in macro's result.
    pub(super) fn made_by_macro(&mut self, constant: Result<Const, &str>) -> Rvalue {
        match constant {
            Ok(constant) => Rvalue::Use(Operand::Const(constant)),
            Err(cause) => self.gap(cause),
        }
    }

    /// The value of a literal that a built-in macro made or that continues on the next line, where rust-analyzer's
    /// literal differs from rustc's; or why it is unknown.
    pub(super) fn macro_constant(&self, expr: ExprId, literal: &Literal) -> Option<Result<Const, &'static str>> {
        let known = self.constant_of_call(expr, literal);
        if !self.syntax.missing_newlines.contains(&expr) {
            return known;
        }
        match (known, literal) {
            (Some(Ok(Const::Str(text))), _) => Some(Ok(Const::Str(format!("{text}\n").into()))),
            (None, Literal::String(text)) => Some(Ok(Const::Str(format!("{}\n", text.as_str()).into()))),
            (known, _) => known,
        }
    }

    /// The same without a newline that `format_args_nl!` appends.
    fn constant_of_call(&self, expr: ExprId, literal: &Literal) -> Option<Result<Const, &'static str>> {
        if let Some(text) = self.syntax.old_panics.get(&expr) {
            return Some(Ok(Const::Str(text.clone())));
        }
        if let Some(meant) = self.syntax.line_continuations.get(&expr) {
            let meant = meant.as_ref().map(|literal| self.literal(literal, self.error_ty()));
            return Some(meant.ok_or("a byte string that goes on behind an empty line"));
        }
        let call = *self.syntax.from_macros.get(&expr)?;
        macro_constants::of_literal(self.db, call, literal, self.resolver.module())
    }

    /// The bytes of an `include_bytes!`.
    pub(super) fn included_bytes(&self, expr: ExprId) -> Option<Cow<'db, [u8]>> {
        let call = *self.syntax.from_macros.get(&expr)?;
        macro_constants::included(self.db, call).map(binary_includes::bytes)
    }

    /// The length of the body's only `include_bytes!`, which inference does not know.
    pub(super) fn included_length(&self) -> Option<u64> {
        let mut calls = self.syntax.from_macros.keys().filter(|expr| matches!(self.store[**expr], Expr::IncludeBytes));
        let (Some(expr), None) = (calls.next(), calls.next()) else { return None };
        self.included_bytes(*expr).map(|bytes| bytes.len() as u64)
    }

    /// A literal expression, with its sign in the source.
    pub(super) fn signed_literal(&self, expr: ExprId, literal: &Literal, ty: Ty<'db>) -> Const {
        let plain = self.literal(literal, ty);
        if self.syntax.negative.contains(&expr) { negative(plain).unwrap_or_else(|plain| plain) } else { plain }
    }

    pub(super) fn literal(&self, literal: &Literal, ty: Ty<'db>) -> Const {
        let is_float = matches!(ty.kind(), TyKind::Float(_));
        let ty = ty.store();
        match literal {
            Literal::String(text) => Const::Str(text.as_str().into()),
            Literal::ByteString(bytes) => Const::Bytes(bytes.clone()),
            Literal::CString(bytes) => Const::CStr(bytes.clone()),
            Literal::Char(it) => Const::Int(u128::from(u32::from(*it)), ty),
            Literal::Bool(it) => Const::Int(u128::from(*it), ty),
            Literal::Int(it, _) if is_float => Const::Float(it.to_string().into(), ty),
            Literal::Uint(it, _) if is_float => Const::Float(it.to_string().into(), ty),
            Literal::Int(it, _) => Const::Int(*it as u128, ty),
            Literal::Uint(it, _) => Const::Int(*it, ty),
            Literal::Float(it, _) => Const::Float(it.to_string().into(), ty),
        }
    }

    /// Stores an operand in a new local, for uses that need a place.
    pub(super) fn operand_local(&mut self, operand: Operand, ty: Ty<'db>) -> LocalId {
        if let Operand::Use(place) = &operand
            && place.proj.is_empty()
        {
            return place.local;
        }
        let local = self.scratch(ty);
        self.assign(local, Rvalue::Use(operand));
        local
    }
}

/// Whether types of this kind equal no type of another.
fn is_plain(kind: &TyKind<'_>) -> bool {
    use rustc_type_ir::TyKind::{Adt, Array, Bool, Char, Float, Int, RawPtr, Ref, Slice, Str, Tuple, Uint};
    matches!(
        kind,
        Adt(..)
            | Array(..)
            | Bool
            | Char
            | Float(_)
            | Int(_)
            | RawPtr(..)
            | Ref(..)
            | Slice(_)
            | Str
            | Tuple(_)
            | Uint(_)
    )
}

/// The negation of a number.
pub(super) fn negative(constant: Const) -> Result<Const, Const> {
    match constant {
        Const::Int(value, ty) => Ok(Const::Int(value.wrapping_neg(), ty)),
        Const::Float(text, ty) => Ok(Const::Float(format!("-{text}").into(), ty)),
        other => Err(other),
    }
}
