//! Rvalue static promotion: borrows of constant expressions live for ever (Reference, "Constant promotion").

use super::cx::Cx;
use crate::ir::{BodyKind, Place, RETURN, Rvalue};
use hir_def::{
    CallableDefId, Lookup,
    hir::{ArithOp, Array, BinaryOp, Expr, ExprId, UnaryOp},
    resolver::ValueNs,
    signatures::{FnFlags, FunctionSignature},
    src::HasSource,
};
use hir_ty::{
    Adjust, AutoBorrow,
    next_solver::{Mutability, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::ast::HasAttrs;
use rustc_type_ir::inherent::IntoKind;

impl<'db> Cx<'_, 'db> {
    /// Puts the address of a promoted `expr` into `dest`, if it can be promoted.
    pub(super) fn promote_into(&mut self, dest: &Place, expr: ExprId) -> bool {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.promote_adjusted_into(dest, expr, adjustments)
    }

    /// As [`Self::promote_into`], for what `expr` is after its first `adjustments` adjustments.
    pub(super) fn promote_adjusted_into(&mut self, dest: &Place, expr: ExprId, adjustments: usize) -> bool {
        if self.ir.kind == BodyKind::Const || !self.is_promotable_adjusted(expr, adjustments) {
            return false;
        }
        let index = self.promoted(expr, adjustments);
        self.at(expr, |cx| cx.assign(dest.clone(), Rvalue::Promoted(index)));
        true
    }

    /// A pointer to the value of `expr`, computed once.
    pub(super) fn promoted_address(&mut self, expr: ExprId) -> Place {
        let ty = self.ty(expr);
        let pointer = self.scratch(self.ref_ty(ty, Mutability::Not));
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
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
        // Casts of pointers; a reborrow is a copy of the reference.
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
                    BinaryOp::ArithOp(op) => !matches!(op, ArithOp::Div | ArithOp::Rem),
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
                    && self.is_inert(self.bare_ty(expr))
                    && args.iter().all(|&it| self.is_promotable(it))
            }
            Expr::RecordLit { fields, spread: hir_def::hir::RecordSpread::None, .. } => {
                self.is_inert(self.bare_ty(expr)) && fields.iter().all(|it| self.is_promotable(it.expr))
            }
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

    /// Whether the callee is one of the few functions of std whose calls may be promoted.
    ///
    /// They say so by an attribute that rust-analyzer does not keep.
    fn is_promotable_function(&self, callee: ExprId) -> bool {
        let TyKind::FnDef(def, _) = self.bare_ty(callee).kind() else { return false };
        let CallableDefId::FunctionId(func) = def.0 else { return false };
        if !FunctionSignature::of(self.db, func).flags.contains(FnFlags::CONST) {
            return false;
        }
        let source = func.lookup(self.db).source(self.db);
        source.value.attrs().any(|attr| attr.simple_name().is_some_and(|name| name == "rustc_promotable"))
    }

    fn is_promotable_path(&mut self, expr: ExprId) -> bool {
        let ty = self.bare_ty(expr);
        if matches!(ty.kind(), TyKind::FnDef(..)) {
            return true;
        }
        if !self.is_inert(ty) {
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

    fn is_plain(&self, expr: ExprId) -> bool {
        matches!(
            self.bare_ty(expr).kind(),
            TyKind::Bool | TyKind::Char | TyKind::Int(_) | TyKind::Uint(_) | TyKind::Float(_)
        )
    }

    /// Whether a value of this type neither changes behind a shared reference nor has anything to drop.
    fn is_inert(&mut self, ty: Ty<'db>) -> bool {
        !self.needs_drop(ty) && self.is_frozen(ty)
    }

    /// Whether a value of this type cannot change behind a shared reference.
    fn is_frozen(&self, ty: Ty<'db>) -> bool {
        self.is_frozen_to_depth(ty, 8)
    }

    fn is_frozen_to_depth(&self, ty: Ty<'db>, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        match ty.kind() {
            TyKind::Tuple(tys) => tys.iter().all(|it| self.is_frozen_to_depth(it, depth - 1)),
            TyKind::Array(elem, _) => self.is_frozen_to_depth(elem, depth - 1),
            TyKind::Adt(def, args) => {
                let id = def.def_id();
                if self.lang().UnsafeCell.is_some_and(|cell| hir_def::AdtId::from(cell) == id) {
                    return false;
                }
                let _ = args;
                self.variants_of(id).into_iter().all(|(variant, fields)| {
                    (0..fields).all(|field| self.is_frozen_to_depth(self.field_ty(ty, variant, field), depth - 1))
                })
            }
            TyKind::Param(_) | TyKind::Alias(..) | TyKind::Error(_) => false,
            _ => true,
        }
    }

    /// The variants of a type and how many fields each has; a struct counts as one without a name.
    fn variants_of(&self, id: hir_def::AdtId) -> Vec<(Option<u32>, u32)> {
        let count = |it: hir_def::VariantId| it.fields(self.db).fields().len() as u32;
        match id {
            hir_def::AdtId::StructId(it) => vec![(None, count(it.into()))],
            hir_def::AdtId::UnionId(it) => vec![(None, count(it.into()))],
            hir_def::AdtId::EnumId(it) => it
                .enum_variants(self.db)
                .variants
                .values()
                .enumerate()
                .map(|(index, (id, _))| (Some(index as u32), count((*id).into())))
                .collect(),
        }
    }
}
