//! `impl Trait` in return types of trait functions, and futures of async trait functions.
//!
//! * Symptom: such a type is an opaque type of the trait's function, and its hidden type is that of the trait's
//!   provided body.
//! * Test: `generics/impl_trait_everywhere`, `async/executors_and_traits`.
//! * Upstream: #22714.
//! * Goes when: the solver projects it.
//!
//! For concrete arguments it becomes the return type of the impl's function.

use crate::types::TypeCx;
use either::Either;
use hir_def::{FunctionId, ItemContainerId, Lookup};
use hir_ty::{
    ImplTraitId,
    next_solver::{AliasTy, AliasTyKind, DbInterner, GenericArgs, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{TypeFoldable, TypeFolder, TypeSuperFoldable, TypeVisitableExt, inherent::IntoKind};

/// Replaces these types in `value`, which has no generic parameters.
pub(crate) fn reveal<'db, T: TypeFoldable<DbInterner<'db>>>(cx: &TypeCx<'db>, value: T) -> T {
    value.fold_with(&mut OpaqueRevealer { cx, depth: 0 })
}

/// Maximum nesting of these types: an async trait function may be recursive.
const DEPTH: u32 = 16;

struct OpaqueRevealer<'a, 'db> {
    cx: &'a TypeCx<'db>,
    depth: u32,
}

impl<'db> TypeFolder<DbInterner<'db>> for OpaqueRevealer<'_, 'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.cx.interner
    }

    fn fold_ty(&mut self, ty: Ty<'db>) -> Ty<'db> {
        if !ty.has_aliases() {
            return ty;
        }
        let ty = ty.super_fold_with(self);
        if self.depth >= DEPTH || ty.has_escaping_bound_vars() {
            return ty;
        }
        match impl_type(self.cx, ty) {
            Some(found) => {
                self.depth += 1;
                let found = found.fold_with(self);
                self.depth -= 1;
                found
            }
            None => ty,
        }
    }
}

/// The trait function and the arguments of an opaque type in a trait.
fn trait_opaque<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<(FunctionId, GenericArgs<'db>)> {
    let TyKind::Alias(AliasTy { kind: AliasTyKind::Opaque { def_id }, args, .. }) = ty.kind() else { return None };
    let ImplTraitId::ReturnTypeImplTrait(func, _) = def_id.0.loc(cx.db) else { return None };
    matches!(func.lookup(cx.db).container, ItemContainerId::TraitId(_)).then_some((func, args))
}

/// The impl's type for an opaque type of the trait.
fn impl_type<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<Ty<'db>> {
    let (func, args) = trait_opaque(cx, ty)?;
    let normal = cx.normalize_any(args);
    let (Either::Left(found), found_args) = cx.db.lookup_impl_method(cx.env(), func, normal) else {
        return None;
    };
    if found == func {
        return None;
    }
    let output = |func: FunctionId, args: GenericArgs<'db>| {
        let sig = cx.db.callable_item_signature(func.into()).instantiate(cx.interner, args).skip_norm_wip();
        cx.interner.instantiate_bound_regions_with_erased(sig).output()
    };
    counterpart(output(func, args), output(found, found_args), ty)
}

/// The part of `other` at the position of `wanted` in `ty`.
fn counterpart<'db>(ty: Ty<'db>, other: Ty<'db>, wanted: Ty<'db>) -> Option<Ty<'db>> {
    if same_opaque(ty, wanted) {
        return Some(other);
    }
    match (ty.kind(), other.kind()) {
        (TyKind::Adt(def, args), TyKind::Adt(other_def, others)) if def.def_id() == other_def.def_id() => {
            args.types().zip(others.types()).find_map(|(ty, other)| counterpart(ty, other, wanted))
        }
        (TyKind::Tuple(tys), TyKind::Tuple(others)) => {
            tys.iter().zip(others.iter()).find_map(|(ty, other)| counterpart(ty, other, wanted))
        }
        (TyKind::Ref(_, ty, _), TyKind::Ref(_, other, _))
        | (TyKind::Array(ty, _), TyKind::Array(other, _))
        | (TyKind::Slice(ty), TyKind::Slice(other)) => counterpart(ty, other, wanted),
        _ => None,
    }
}

/// Whether two types are the same opaque type; lifetimes may differ.
fn same_opaque<'db>(ty: Ty<'db>, wanted: Ty<'db>) -> bool {
    let id = |ty: Ty<'db>| match ty.kind() {
        TyKind::Alias(AliasTy { kind: AliasTyKind::Opaque { def_id }, .. }) => Some(def_id),
        _ => None,
    };
    id(ty).is_some() && id(ty) == id(wanted)
}
