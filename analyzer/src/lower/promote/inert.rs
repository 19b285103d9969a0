//! Values that may be behind a promoted reference: they have no interior mutability and need no drop.
//!
//! rustc judges by the type, and if that is not enough by the value: `None` is inert whatever its type.

use crate::ir::BodyKind;
use crate::lower::cx::Cx;
use hir_def::{
    AdtId, CallableDefId, ConstId, DefWithBodyId, ItemContainerId, Lookup,
    expr_store::Body,
    hir::{Array, Expr, ExprId, RecordSpread},
    resolver::ValueNs,
};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

impl<'db> Cx<'_, 'db> {
    /// Whether a constant expression's value is inert.
    pub(super) fn is_inert_value(&mut self, expr: ExprId) -> bool {
        self.is_inert_value_to_depth(expr, 8)
    }

    fn is_inert_value_to_depth(&mut self, expr: ExprId, depth: u32) -> bool {
        let ty = self.bare_ty(expr);
        if self.is_inert(ty) {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        let store = self.store;
        match &store[expr] {
            Expr::Path(_) if self.infer.variant_resolution_for_expr(expr).is_some() => self.is_itself_inert(ty),
            Expr::Path(_) => match self.resolve_value(expr) {
                Some(ValueNs::ConstId(id)) => self.is_inert_const(id, depth),
                Some(ValueNs::StructId(_) | ValueNs::EnumVariantId(_)) => self.is_itself_inert(ty),
                _ => false,
            },
            Expr::Call { callee, args } => {
                let is_constructor = matches!(self.bare_ty(*callee).kind(), TyKind::FnDef(def, _)
                    if matches!(def.0, CallableDefId::StructId(_) | CallableDefId::EnumVariantId(_)));
                is_constructor
                    && self.is_itself_inert(ty)
                    && args.iter().all(|&it| self.is_inert_value_to_depth(it, depth))
            }
            Expr::RecordLit { fields, spread, .. } => {
                let spread = match spread {
                    RecordSpread::None => true,
                    RecordSpread::Expr(base) => self.is_inert_value_to_depth(*base, depth),
                    RecordSpread::FieldDefaults => false,
                };
                spread
                    && self.is_itself_inert(ty)
                    && fields.iter().all(|it| self.is_inert_value_to_depth(it.expr, depth))
            }
            Expr::Tuple { exprs } | Expr::Array(Array::ElementList { elements: exprs }) => {
                exprs.iter().all(|&it| self.is_inert_value_to_depth(it, depth))
            }
            Expr::Array(Array::Repeat { initializer, .. }) => self.is_inert_value_to_depth(*initializer, depth),
            Expr::Const(inner) => self.is_inert_value_to_depth(*inner, depth),
            Expr::Block { statements, tail: Some(tail), label: None, .. }
            | Expr::Unsafe { statements, tail: Some(tail), .. }
                if statements.is_empty() =>
            {
                self.is_inert_value_to_depth(*tail, depth)
            }
            _ => false,
        }
    }

    /// The const of a trait or trait impl may differ for other types: only its type counts.
    fn is_inert_const(&mut self, id: ConstId, depth: u32) -> bool {
        match id.lookup(self.db).container {
            ItemContainerId::TraitId(_) | ItemContainerId::ImplId(_) => return false,
            ItemContainerId::ModuleId(_) | ItemContainerId::ExternBlockId(_) => {}
        }
        let def = DefWithBodyId::ConstId(id);
        let body = Body::of(self.db, def);
        let infer = crate::workarounds::inference::of(self.db, def);
        let mut closures = Vec::new();
        let mut cx = Cx::new(self.db, def, body, infer, &mut closures, BodyKind::Const);
        cx.is_inert_value_to_depth(body.root_expr(), depth)
    }

    /// Whether a type itself has no `Drop` impl and is no cell, regardless of its fields.
    fn is_itself_inert(&self, ty: Ty<'db>) -> bool {
        let TyKind::Adt(def, _) = ty.kind() else { return false };
        let id = def.def_id();
        self.lang().UnsafeCell.is_none_or(|cell| AdtId::from(cell) != id)
            && hir_ty::drop::destructor(self.db, id).is_none()
    }

    /// Whether a value of this type has no interior mutability and needs no drop.
    pub(super) fn is_inert(&mut self, ty: Ty<'db>) -> bool {
        !self.needs_drop(ty) && self.is_frozen(ty)
    }

    /// Whether a value of this type has no interior mutability.
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

    /// The variants of a type with their numbers of fields; a struct counts as one unnamed variant.
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
