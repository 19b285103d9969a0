//! Impls and derives for a type in `const _: () = { .. }`.
//!
//! * Symptom: they are found twice, among the impls of the crate and among those of the block, which is ambiguous.
//! * Test: `modules/impls_in_unnamed_consts`, `modules/derives_in_unnamed_consts`.
//! * Upstream: none known.
//! * Goes when: each impl is found once.

use crate::types::TypeCx;
use hir_def::{
    BuiltinDeriveImplId, FunctionId, HasModule, TraitId, builtin_derive::BuiltinDeriveImplMethod,
    signatures::FunctionSignature,
};
use hir_ty::{
    db::HirDatabase,
    method_resolution::TraitImpls,
    next_solver::{GenericArgs, Ty},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::fast_reject::{TreatParams, simplify_type};

/// The impls in the blocks that enclose a type's definition.
pub(crate) fn enclosing_impls<'db>(db: &'db dyn HirDatabase, ty: Ty<'db>) -> Vec<&'db TraitImpls<'db>> {
    let block = ty.as_adt().and_then(|(adt, _)| adt.module(db).block(db));
    std::iter::successors(block, |block| block.module(db).block(db))
        .filter_map(|block| TraitImpls::for_block(db, block))
        .collect()
}

/// A method of a built-in derive, and its generic arguments.
pub(crate) type DerivedMethod<'db> = (BuiltinDeriveImplId, BuiltinDeriveImplMethod, GenericArgs<'db>);

/// The method that a built-in derive in a block provides for the trait's `func` under `args`.
pub(crate) fn derived<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    func: FunctionId,
    args: GenericArgs<'db>,
) -> Option<DerivedMethod<'db>> {
    derived_among(cx, &enclosing_impls(cx.db, args.types().next()?), trait_, func, args)
}

/// The same for the derives among these impls.
pub(super) fn derived_among<'db>(
    cx: &TypeCx<'db>,
    impls: &[&'db TraitImpls<'db>],
    trait_: TraitId,
    func: FunctionId,
    args: GenericArgs<'db>,
) -> Option<DerivedMethod<'db>> {
    let db = cx.db;
    let self_ty = args.types().next()?;
    let (_, of_type) = self_ty.as_adt()?;
    let own = hir_def::hir::generics::GenericParams::of(db, trait_.into()).len();
    // Derives implement a trait only with `Self` as its type arguments.
    if args.iter().take(own).any(|arg| arg.ty() != Some(self_ty)) {
        return None;
    }
    let simple = simplify_type(cx.interner, self_ty, TreatParams::InstantiateWithInfer)?;
    let name = &FunctionSignature::of(db, func).name;
    let (impl_, method) = impls.iter().find_map(|impls| {
        let (_, derives) = impls.for_trait_and_self_ty(trait_, &simple);
        derives.iter().find_map(|&id| Some((id, id.loc(db).trait_.get_method(name.symbol())?)))
    })?;
    let all = of_type.iter().chain(args.iter().skip(own));
    Some((impl_, method, GenericArgs::new_from_iter(cx.interner, all)))
}
