//! Rvalue static promotion: borrows of constant expressions are `'static` (Reference, "Constant promotion").

mod inert;

use super::cx::Cx;
use crate::{
    ir::{BodyKind, Place, RETURN, Rvalue},
    workarounds::promotable_functions,
};
use hir_def::{
    CallableDefId,
    hir::{ArithOp, Array, BinaryOp, BindingAnnotation, Expr, ExprId, Literal, Pat, PatId, RecordSpread, UnaryOp},
    resolver::ValueNs,
};
use hir_ty::{
    Adjust, AutoBorrow,
    next_solver::{Mutability, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

impl<'db> Cx<'_, 'db> {
    /// Writes the address of a promoted `expr` to `dest`, if it can be promoted.
    pub(super) fn promote_into(&mut self, dest: &Place, expr: ExprId) -> bool {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.promote_adjusted_into(dest, expr, adjustments)
    }

    /// Like [`Self::promote_into`], for `expr` after its first `adjustments` adjustments.
    pub(super) fn promote_adjusted_into(&mut self, dest: &Place, expr: ExprId, adjustments: usize) -> bool {
        if !self.is_promotable_adjusted(expr, adjustments) {
            return false;
        }
        let index = self.promoted(expr, adjustments);
        self.at(expr, |cx| cx.assign(dest.clone(), Rvalue::Promoted(index)));
        true
    }

    /// For a shared borrow of a part that is known only at run time, such as `&CONST[index]`: the whole is promoted if
    /// possible.
    pub(super) fn promote_base_of(&mut self, expr: ExprId, adjustments: usize) {
        let is_bare = |cx: &Self, it| cx.infer.expr_adjustment(it).is_none_or(<[_]>::is_empty);
        if adjustments > 0 {
            return;
        }
        let mut base = expr;
        loop {
            let inner = match &self.store[base] {
                Expr::Field { expr: inner, .. } if is_bare(self, *inner) => *inner,
                Expr::Index { base: inner, index } if self.is_array_index(*inner, *index) => *inner,
                _ => break,
            };
            base = inner;
        }
        if base != expr {
            self.promote_base(base);
        }
    }

    /// Whether it indexes an array directly, not through a reference.
    fn is_array_index(&self, base: ExprId, index: ExprId) -> bool {
        self.builtin_index(base, index) == Some(0) && matches!(self.bare_ty(base).kind(), TyKind::Array(..))
    }

    /// The same for a value whose parts patterns borrow (`ref`). Parts that are moved out are copied.
    pub(super) fn promote_for_patterns(&mut self, value: ExprId, pats: &[PatId]) {
        let modes: Vec<_> = pats.iter().map(|pat| self.borrows(*pat)).collect();
        let is_bare = self.infer.expr_adjustment(value).is_none_or(<[_]>::is_empty);
        if is_bare && modes.contains(&Some(Mutability::Not)) && !modes.contains(&Some(Mutability::Mut)) {
            self.promote_base(value);
        }
    }

    /// How a pattern borrows the matched value, if it does.
    fn borrows(&self, pat: PatId) -> Option<Mutability> {
        let mut found = match &self.store[pat] {
            Pat::Bind { id, .. } => match self.store[*id].mode {
                BindingAnnotation::Ref => Some(Mutability::Not),
                BindingAnnotation::RefMut => return Some(Mutability::Mut),
                _ => None,
            },
            // The value behind a reference is elsewhere.
            Pat::Ref { .. } => return None,
            _ => None,
        };
        self.store[pat].walk_child_pats(|child| match self.borrows(child) {
            Some(Mutability::Mut) => found = Some(Mutability::Mut),
            Some(Mutability::Not) if found.is_none() => found = Some(Mutability::Not),
            _ => {}
        });
        found
    }

    fn promote_base(&mut self, base: ExprId) {
        if !self.is_bare_place(base) && self.is_promotable_adjusted(base, 0) {
            self.promoted_bases.insert(base);
        }
    }

    /// A pointer to the value of `expr` after its first `adjustments` adjustments, computed once.
    pub(super) fn promoted_address(&mut self, expr: ExprId, adjustments: usize) -> Place {
        let ty = self.adjusted_ty(expr, adjustments);
        let pointer = self.scratch(self.ref_ty(ty, Mutability::Not));
        let index = self.promoted(expr, adjustments);
        self.assign(pointer, Rvalue::Promoted(index));
        pointer.into()
    }

    fn promoted(&mut self, expr: ExprId, adjustments: usize) -> u32 {
        let mut closures = std::mem::take(self.closures);
        let mut cx = Cx::new(self.db, self.def, self.store, self.infer, &mut closures, BodyKind::Const);
        let ty = cx.adjusted_ty(expr, adjustments);
        cx.new_local(ty, None);
        cx.const_body(expr, adjustments);
        let body = cx.finish();
        debug_assert_eq!(RETURN.0, 0);
        *self.closures = closures;
        let index = self.ir.promoted.len() as u32;
        self.ir.promoted.push(body);
        index
    }

    fn is_promotable(&mut self, expr: ExprId) -> bool {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.is_promotable_adjusted(expr, adjustments)
    }

    fn is_promotable_adjusted(&mut self, expr: ExprId, adjustments: usize) -> bool {
        let list = self.infer.expr_adjustment(expr).unwrap_or_default();
        // Pointer casts; a reborrow copies the reference.
        let mut reborrowed = false;
        for adjustment in list[..adjustments].iter().rev() {
            match &adjustment.kind {
                Adjust::Pointer(_) if !reborrowed => {}
                Adjust::Borrow(AutoBorrow::Ref(mutability))
                    if !reborrowed && Mutability::from(*mutability) == Mutability::Not =>
                {
                    reborrowed = true;
                }
                Adjust::Deref(None) if reborrowed => reborrowed = false,
                _ => return false,
            }
        }
        if reborrowed {
            return false;
        }
        let store = self.store;
        match &store[expr] {
            Expr::Literal(_) => true,
            Expr::Path(_) => self.is_promotable_path(expr),
            Expr::UnaryOp { expr: inner, op: UnaryOp::Neg | UnaryOp::Not } => {
                self.is_plain(*inner) && self.is_promotable(*inner)
            }
            Expr::BinaryOp { lhs, rhs, op: Some(op) } => {
                let safe = match op {
                    BinaryOp::ArithOp(ArithOp::Div | ArithOp::Rem) => self.is_nonzero_literal(*rhs),
                    BinaryOp::ArithOp(_) => true,
                    BinaryOp::CmpOp(_) => true,
                    _ => false,
                };
                safe && self.is_plain(*lhs)
                    && self.is_plain(*rhs)
                    && self.is_promotable(*lhs)
                    && self.is_promotable(*rhs)
            }
            Expr::Tuple { exprs } | Expr::Array(Array::ElementList { elements: exprs }) => {
                exprs.iter().all(|&it| self.is_promotable(it))
            }
            Expr::Array(Array::Repeat { initializer, .. }) => self.is_promotable(*initializer),
            Expr::Ref { expr: inner, rawness, mutability } => {
                !rawness.is_raw() && mutability.is_shared() && self.is_promotable(*inner)
            }
            Expr::Call { callee, args } => {
                (self.is_constructor(*callee) || self.is_promotable_function(*callee))
                    && self.is_inert_value(expr)
                    && args.iter().all(|&it| self.is_promotable(it))
            }
            Expr::RecordLit { fields, spread, .. } => {
                let spread = match spread {
                    RecordSpread::None => true,
                    RecordSpread::Expr(base) => self.is_promotable(*base),
                    _ => false,
                };
                spread && self.is_inert_value(expr) && fields.iter().all(|it| self.is_promotable(it.expr))
            }
            Expr::Field { expr: base, .. } => self.is_promotable(*base),
            Expr::Index { base, index } => {
                let (base, index) = (*base, *index);
                self.builtin_index(base, index).is_some_and(|kept| {
                    matches!(self.norm(self.adjusted_ty(base, kept)).kind(), TyKind::Array(..))
                        && self.is_promotable(index)
                        && self.is_promotable_adjusted(base, kept)
                })
            }
            Expr::Block { statements, tail: Some(tail), label: None, .. }
            | Expr::Unsafe { statements, tail: Some(tail), .. }
                if statements.is_empty() =>
            {
                self.is_promotable(*tail)
            }
            Expr::Const(_) => self.is_inert_value(expr),
            Expr::Cast { expr: inner, .. } => self.is_plain(*inner) && self.is_promotable(*inner),
            Expr::Closure { .. } => {
                let ty = self.bare_ty(expr);
                matches!(ty.kind(), TyKind::Closure(..))
                    && self
                        .infer
                        .closures_data
                        .get(&expr)
                        .is_some_and(|it| it.min_captures.values().flatten().next().is_none())
            }
            _ => false,
        }
    }

    /// Whether the callee is one of the functions of std whose calls may be promoted.
    fn is_promotable_function(&self, callee: ExprId) -> bool {
        let TyKind::FnDef(def, _) = self.bare_ty(callee).kind() else { return false };
        let CallableDefId::FunctionId(func) = def.0 else { return false };
        promotable_functions::is_one(self.db, func)
    }

    fn is_promotable_path(&mut self, expr: ExprId) -> bool {
        let ty = self.bare_ty(expr);
        if matches!(ty.kind(), TyKind::FnDef(..)) {
            // A function item; a variable that holds one has its own address.
            return !matches!(self.resolve_value(expr), Some(ValueNs::LocalBinding(_)));
        }
        if !self.is_inert_value(expr) {
            return false;
        }
        if self.infer.assoc_resolutions_for_expr(expr).is_some()
            || self.infer.variant_resolution_for_expr(expr).is_some()
        {
            return true;
        }
        matches!(
            self.resolve_value(expr),
            Some(ValueNs::ConstId(_) | ValueNs::EnumVariantId(_) | ValueNs::StructId(_) | ValueNs::GenericParam(_))
        )
    }

    /// Division is promoted if it cannot panic.
    fn is_nonzero_literal(&self, expr: ExprId) -> bool {
        match &self.store[expr] {
            Expr::Literal(Literal::Int(value, _)) => *value != 0,
            Expr::Literal(Literal::Uint(value, _)) => *value != 0,
            Expr::Literal(Literal::Float(..)) => true,
            _ => false,
        }
    }

    fn is_plain(&self, expr: ExprId) -> bool {
        matches!(
            self.bare_ty(expr).kind(),
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Uint(_) | TyKind::Float(_)
        )
    }
}
