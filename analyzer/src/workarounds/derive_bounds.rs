//! Bounds of built-in derives.
//!
//! * Symptom: a derive also asks for the trait of every associated type in its fields, as in
//!   `List<Node, <Node as Link>::Target>`, where rustc asks only for those of type parameters; so its impl does not apply.
//!   `Type::default()` is then no function to inference, and its type is unknown.
//! * Test: `modules/derives_with_projections`.
//! * Upstream: none known.
//! * Goes when: such an impl applies.

use super::impls_in_blocks::{self, DerivedMethod};
use crate::types::TypeCx;
use hir_def::{
    AdtId, FunctionId, HasModule, TraitId,
    builtin_derive::BuiltinDeriveImplTrait,
    expr_store::path::Path,
    hir::generics::GenericParams,
    lang_item::lang_items,
    resolver::{Resolver, TypeNs},
};
use hir_ty::{
    method_resolution::TraitImpls,
    next_solver::{DbInterner, GenericArgs, Ty},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::fast_reject::{TreatParams, simplify_type};

/// Derived traits whose functions are called by the type's name.
const TRAITS: [BuiltinDeriveImplTrait; 2] = [BuiltinDeriveImplTrait::Default, BuiltinDeriveImplTrait::Clone];

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

/// The trait's function that a path such as `Type::default` means, if the type derives it, and its arguments. Types with
/// parameters are left out: what these are is not known.
pub(crate) fn named<'db>(
    interner: DbInterner<'db>,
    resolver: &Resolver<'db>,
    path: &Path,
) -> Option<(FunctionId, GenericArgs<'db>)> {
    let db = interner.db();
    let name = path.segments().last()?.name.clone();
    let adt = match resolver.resolve_path_in_type_ns_fully(db, &path.qualifier()?)? {
        TypeNs::AdtId(adt) | TypeNs::AdtSelfType(adt) => adt,
        TypeNs::SelfType(id) => db.impl_self_ty(id).skip_binder().as_adt()?.0,
        _ => return None,
    };
    if !GenericParams::of(db, adt.into()).is_empty() {
        return None;
    }
    let args = GenericArgs::new_from_slice(&[Ty::new_adt(interner, adt, GenericArgs::empty(interner)).into()]);
    TRAITS
        .into_iter()
        .find_map(|derived| {
            derived.get_method(name.symbol())?;
            let trait_ = derived.get_id(lang_items(db, resolver.krate()))?;
            is_derived(interner, trait_, adt, args).then(|| trait_.trait_items(db).method_by_name(&name))?
        })
        .map(|func| (func, args))
}

fn is_derived<'db>(interner: DbInterner<'db>, trait_: TraitId, adt: AdtId, args: GenericArgs<'db>) -> bool {
    let db = interner.db();
    let simple = args.types().next().and_then(|it| simplify_type(interner, it, TreatParams::InstantiateWithInfer));
    let impls = TraitImpls::for_crate(db, adt.module(db).krate(db));
    simple.is_some_and(|simple| !impls.for_trait_and_self_ty(trait_, &simple).1.is_empty())
}
