//! Expressions as places.

use super::cx::Cx;
use crate::ir::{Callee, LocalId, Place, Proj, Rvalue, Stmt};
use hir_def::{
    hir::{BindingId, Expr, ExprId, UnaryOp},
    resolver::ValueNs,
};
use hir_ty::{
    Adjust, OverloadedDeref,
    next_solver::{Mutability, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    UintTy,
    inherent::{IntoKind, Ty as _},
};

impl<'db> Cx<'_, 'db> {
    /// The place that an expression denotes; a value expression gets a temporary.
    pub(super) fn place(&mut self, expr: ExprId) -> Place {
        let adjustments = self.infer.expr_adjustment(expr).map_or(0, <[_]>::len);
        self.place_adjusted(expr, adjustments)
    }

    /// Like [`Self::place`], with only the first `adjustments` adjustments.
    pub(super) fn place_adjusted(&mut self, expr: ExprId, adjustments: usize) -> Place {
        if adjustments == 0 {
            return self.bare_place(expr);
        }
        let last = &self.infer.expr_adjustment(expr).unwrap_or_default()[adjustments - 1];
        match &last.kind {
            Adjust::Deref(None) => self.place_adjusted(expr, adjustments - 1).deref(),
            Adjust::Deref(Some(OverloadedDeref(mutability))) => {
                let mutability = *mutability;
                let base_ty = self.adjusted_ty(expr, adjustments - 1);
                let target = self.adjusted_ty(expr, adjustments);
                let base = self.place_adjusted(expr, adjustments - 1);
                self.at(expr, |cx| cx.overloaded_deref(base, base_ty, target, mutability))
            }
            _ => self.value_local_adjusted(expr, adjustments).into(),
        }
    }

    fn bare_place(&mut self, expr: ExprId) -> Place {
        self.at(expr, |cx| cx.bare_place_inner(expr))
    }

    fn bare_place_inner(&mut self, expr: ExprId) -> Place {
        if self.promoted_bases.contains(&expr) {
            return self.promoted_address(expr, 0).deref();
        }
        match &self.store[expr] {
            Expr::Path(_) => {
                if let Some(binding) = self.local_binding(expr) {
                    return self.binding_place(binding);
                }
                if let Some(ValueNs::StaticId(id)) = self.resolve_value(expr) {
                    let ty = self.bare_ty(expr);
                    let pointer = self.scratch(Ty::new_ptr(self.interner(), ty, Mutability::Mut));
                    self.assign(pointer, Rvalue::Static(id));
                    return Place::from(pointer).deref();
                }
                self.value_local_adjusted(expr, 0).into()
            }
            Expr::UnaryOp { expr: inner, op: UnaryOp::Deref } => {
                let inner = *inner;
                let ty = self.ty(inner);
                let is_builtin = matches!(ty.kind(), TyKind::Ref(..) | TyKind::RawPtr(..)) || ty.is_box();
                if is_builtin && self.infer.method_resolution(expr).is_none_or(|_| self.deref_is_builtin(inner)) {
                    return self.place(inner).deref();
                }
                let mutability = match self.infer.method_resolution(expr) {
                    Some((f, _)) if self.lang().DerefMut_deref_mut == Some(f) => Mutability::Mut,
                    _ => Mutability::Not,
                };
                // Inference records the autoref of an overloaded `*`; here the place below it is needed.
                let list = self.infer.expr_adjustment(inner).unwrap_or_default();
                let kept = match list.last() {
                    Some(last) if matches!(last.kind, Adjust::Borrow(_)) => list.len() - 1,
                    _ => list.len(),
                };
                let base_ty = self.adjusted_ty(inner, kept);
                let base = self.place_adjusted(inner, kept);
                let target = self.bare_ty(expr);
                self.overloaded_deref(base, base_ty, target, mutability)
            }
            Expr::Field { expr: base, name } => {
                let (base, name) = (*base, name.clone());
                let place = self.place(base);
                let index = match self.infer.field_resolution(expr) {
                    Some(either::Either::Left(field)) => Some(u32::from(field.local_id.into_raw())),
                    Some(either::Either::Right(field)) => Some(field.index),
                    None => match self.ty(base).kind() {
                        TyKind::Tuple(_) => name.as_tuple_index().map(|it| it as u32),
                        _ => None,
                    },
                };
                match index {
                    Some(index) => place.field(index),
                    None => self.unknown_place(expr, "unresolved field"),
                }
            }
            Expr::Index { base, index } => {
                let (base, index) = (*base, *index);
                self.index_place(expr, base, index)
            }
            _ => self.value_local_adjusted(expr, 0).into(),
        }
    }

    /// Whether `*inner` is built in: for references, raw pointers and `Box`.
    fn deref_is_builtin(&self, inner: ExprId) -> bool {
        let ty = self.bare_ty(inner);
        matches!(ty.kind(), TyKind::Ref(..) | TyKind::RawPtr(..)) || ty.is_box()
    }

    /// How many adjustments of `base` belong to a built-in `base[index]`, if it is one.
    pub(super) fn builtin_index(&self, base: ExprId, index: ExprId) -> Option<usize> {
        let base_ty = self.ty(base);
        let pointee = match base_ty.kind() {
            TyKind::Ref(_, inner, _) => inner,
            _ => base_ty,
        };
        let is_usize = matches!(self.norm(self.ty(index)).kind(), TyKind::Uint(UintTy::Usize));
        if !is_usize || !matches!(self.norm(pointee).kind(), TyKind::Array(..) | TyKind::Slice(_)) {
            return None;
        }
        // The autoref of the overloaded form is dropped: indexing a slice is built in.
        let list = self.infer.expr_adjustment(base).unwrap_or_default();
        let kept = match list.last() {
            Some(last) if matches!(last.kind, Adjust::Borrow(_)) => list.len() - 1,
            _ => list.len(),
        };
        // `[T; N]`, unsized for the method call, is still an array.
        Some(match list[..kept].last() {
            Some(last) if matches!(last.kind, Adjust::Pointer(_)) => {
                list[..kept].iter().rposition(|it| matches!(it.kind, Adjust::Borrow(_))).unwrap_or(kept)
            }
            _ => kept,
        })
    }

    fn index_place(&mut self, expr: ExprId, base: ExprId, index: ExprId) -> Place {
        if let Some(kept) = self.builtin_index(base, index) {
            let mut place = self.place_adjusted(base, kept);
            if matches!(self.adjusted_ty(base, kept).kind(), TyKind::Ref(..)) {
                place = place.deref();
            }
            let usize_ty = self.usize_ty();
            let local = self.scratch(usize_ty);
            self.expr_into(local.into(), index);
            self.push_may_panic(Stmt::Bounds { index: local, of: place.clone() });
            return place.then(Proj::Index(local));
        }
        let Some((func, args)) = self.infer.method_resolution(expr) else {
            return self.unknown_place(expr, "unresolved index");
        };
        let operands = self.operands(&[base, index]);
        let output = self.fn_output(func, args);
        let result = self.scratch(output);
        self.call(result, Callee::Fn(func, args.store()), operands);
        Place::from(result).deref()
    }

    /// `*Deref::deref(&base)`.
    pub(super) fn overloaded_deref(
        &mut self,
        base: Place,
        base_ty: Ty<'db>,
        target: Ty<'db>,
        mutability: Mutability,
    ) -> Place {
        let func = match mutability {
            Mutability::Mut => self.lang().DerefMut_deref_mut,
            Mutability::Not => self.lang().Deref_deref,
        };
        let Some(func) = func else {
            let rvalue = self.gap("no `Deref` in the standard library");
            let local = self.scratch(target);
            self.assign(local, rvalue);
            return local.into();
        };
        let borrowed = self.scratch(self.ref_ty(base_ty, mutability));
        self.assign(borrowed, Rvalue::Ref(base));
        let result = self.scratch(self.ref_ty(target, mutability));
        let args = self.generic_args(&[base_ty]);
        self.call(result, Callee::Fn(func, args.store()), vec![borrowed.into()]);
        Place::from(result).deref()
    }

    /// A place for unsupported code.
    pub(super) fn unknown_place(&mut self, expr: ExprId, cause: &str) -> Place {
        let ty = self.bare_ty(expr);
        let local = self.scratch(ty);
        let rvalue = self.gap(cause);
        self.assign(local, rvalue);
        local.into()
    }

    /// The variable that a path names, if it names one.
    pub(super) fn local_binding(&self, expr: ExprId) -> Option<BindingId> {
        let Expr::Path(path) = &self.store[expr] else { return None };
        if self.infer.assoc_resolutions_for_expr(expr).is_some() {
            return None;
        }
        let mut resolver = self.resolver.clone();
        let guard = resolver.update_to_inner_scope(self.db, self.store_owner, expr);
        let found = resolver.resolve_path_in_value_ns_fully(self.db, path, self.store.expr_path_hygiene(expr));
        resolver.reset_to_guard(guard);
        match found {
            Some(ValueNs::LocalBinding(it)) => Some(it),
            _ => None,
        }
    }

    /// The value that a path names, unless it is an associated item.
    pub(super) fn resolve_value(&mut self, expr: ExprId) -> Option<ValueNs> {
        let Expr::Path(path) = &self.store[expr] else { return None };
        let guard = self.resolver.update_to_inner_scope(self.db, self.store_owner, expr);
        let hygiene = self.store.expr_path_hygiene(expr);
        let found = self.resolver.resolve_path_in_value_ns_fully(self.db, path, hygiene);
        self.resolver.reset_to_guard(guard);
        found
    }

    /// The place of a variable.
    pub(super) fn binding_place(&mut self, binding: BindingId) -> Place {
        if let Some(place) = self.guard_alias.get(&binding) {
            return place.clone();
        }
        if let Some(&local) = self.bindings.get(&binding) {
            return local.into();
        }
        self.upvar_root(binding).into()
    }

    fn upvar_root(&mut self, binding: BindingId) -> LocalId {
        if let Some(&local) = self.upvars.get(&binding) {
            return local;
        }
        let ty = self.with_inferred_length(self.infer.binding_ty(binding));
        let name = self.store[binding].name.as_str().into();
        let local = self.new_local(ty, Some(name));
        self.upvars.insert(binding, local);
        local
    }

    /// The local of a variable of this body.
    pub(super) fn declare(&mut self, binding: BindingId) -> LocalId {
        if let Some(&local) = self.bindings.get(&binding) {
            return local;
        }
        let ty = self.with_inferred_length(self.infer.binding_ty(binding));
        let name = self.store[binding].name.as_str().into();
        let local = self.new_local(ty, Some(name));
        self.bindings.insert(binding, local);
        local
    }

    /// Runs `f` with statements attributed to `expr`.
    pub(super) fn at<T>(&mut self, expr: ExprId, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.site, expr.into());
        let within = self.within.replace(expr);
        let result = f(self);
        self.site = outer;
        self.within = within;
        result
    }
}
