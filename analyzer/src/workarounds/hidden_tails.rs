//! Pointers to a struct whose last field has an associated type.
//!
//! * Symptom: the pointer is thin although the associated type is unsized.
//! * Test: `generics/unsized_projection`.
//! * Upstream: none known.
//! * Goes when: the field is normalised.
//!
//! Such a pointer gets the layout of a pointer to the struct's tail.

use crate::types::{Meta, TypeCx};
use hir_def::AdtId;
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::{IntoKind, Ty as _};

/// The unsized tail of a pointee, if it is visible only after normalisation of an associated type.
pub(crate) fn hidden_tail<'db>(cx: &mut TypeCx<'db>, pointee: Ty<'db>) -> Option<Ty<'db>> {
    let (mut ty, mut is_hidden) = (pointee, false);
    for _ in 0..64 {
        let TyKind::Adt(def, _) = ty.kind() else { break };
        let AdtId::StructId(id) = def.def_id() else { break };
        let types = cx.db.field_types(id.into());
        let Some((_, last)) = types.iter().next_back() else { break };
        is_hidden |= matches!(last.ty().instantiate_identity().skip_norm_wip().kind(), TyKind::Alias(..));
        ty = cx.field_ty(ty, 0, types.iter().count() as u32 - 1)?;
    }
    (is_hidden && cx.meta(ty) != Meta::Thin).then_some(ty)
}

/// A pointer whose metadata rust-analyzer does not see, as a pointer to the tail of its pointee. Both have the same
/// layout.
pub(crate) fn pointer_to_tail<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>) -> Ty<'db> {
    let interner = cx.interner;
    let tail = match ty.kind() {
        TyKind::Ref(_, pointee, _) | TyKind::RawPtr(pointee, _) => hidden_tail(cx, pointee),
        _ => None,
    };
    match (ty.kind(), tail) {
        (TyKind::Ref(region, _, mutability), Some(tail)) => Ty::new_ref(interner, region, tail, mutability),
        (TyKind::RawPtr(_, mutability), Some(tail)) => Ty::new_ptr(interner, tail, mutability),
        _ => ty,
    }
}

/// Applies [`pointer_to_tail`] to the arguments of a type: `Option` of such a pointer has its niche.
pub(crate) fn with_tail_pointers<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>) -> Ty<'db> {
    let Some((adt, args)) = ty.as_adt() else { return ty };
    let replaced: Vec<_> = args.iter().map(|arg| arg.ty().map_or(arg, |arg| pointer_to_tail(cx, arg).into())).collect();
    match replaced.iter().copied().eq(args.iter()) {
        true => ty,
        false => Ty::new_adt(cx.interner, adt, GenericArgs::new_from_slice(&replaced)),
    }
}
