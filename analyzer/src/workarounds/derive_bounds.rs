//! Bounds of built-in derives.
//!
//! * Symptom: a derive also asks for the trait of every associated type in its fields, as in
//!   `List<Node, <Node as Link>::Target>`, where rustc asks only for those of type parameters; so its impl does not apply.
//! * Test: `modules/derives_with_projections`.
//! * Upstream: none known.
//! * Goes when: such an impl applies.

use super::impls_in_blocks::{self, DerivedMethod};
use crate::types::TypeCx;
use hir_def::{FunctionId, HasModule, TraitId};
use hir_ty::{method_resolution::TraitImpls, next_solver::GenericArgs};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// The method that a built-in derive provides for the trait's `func` under `args`, whatever its bounds are: rustc has
/// accepted the call, and no other impl was found.
pub(crate) fn derived<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    func: FunctionId,
    args: GenericArgs<'db>,
) -> Option<DerivedMethod<'db>> {
    let (adt, _) = args.types().next()?.as_adt()?;
    let impls = TraitImpls::for_crate(cx.db, adt.module(cx.db).krate(cx.db));
    impls_in_blocks::derived_among(cx, &[impls], trait_, func, args)
}
