//! Functions that a specialising impl inherits from the impl that it specialises.
//!
//! * Symptom: the function is not found, or the trait's provided function is called.
//! * Test: `iter/zip_inherits`.
//! * Upstream: none known.
//! * Goes when: selection walks the chain of impls.
//!
//! rust-analyzer selects the most specific impl and stops there. Impls with bounds that it cannot decide are found here too:
//! see [`super::deep_bounds`]. For associated types see
//! [`super::specialised_types`].

use super::{
    deep_bounds::{Undecided, applies},
    impls_in_blocks, impls_in_bodies,
};
use crate::types::TypeCx;
use hir_def::{
    AssocItemId, ConstId, FunctionId, ImplId, TraitId,
    signatures::{ConstSignature, FunctionSignature},
};
use hir_expand::name::Name;
use hir_ty::{
    method_resolution::TraitImpls,
    next_solver::{GenericArgs, TraitRef},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{fast_reject::TreatParams, fast_reject::simplify_type};

/// The impl's function for the trait's `func` under `args`, with the arguments of the impl and of the function;
/// `None` if no impl has it.
pub(crate) fn inherited<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    func: FunctionId,
    args: GenericArgs<'db>,
) -> Option<(FunctionId, GenericArgs<'db>)> {
    let name = &FunctionSignature::of(cx.db, func).name;
    most_special(cx, trait_, args, name, |item| match item {
        AssocItemId::FunctionId(id) => Some(id),
        _ => None,
    })
}

/// The same for a const of the trait.
pub(crate) fn inherited_const<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    constant: ConstId,
    args: GenericArgs<'db>,
) -> Option<(ConstId, GenericArgs<'db>)> {
    let name = ConstSignature::of(cx.db, constant).name.as_ref()?;
    most_special(cx, trait_, args, name, |item| match item {
        AssocItemId::ConstId(id) => Some(id),
        _ => None,
    })
}

/// The item with this name and kind of the most special impl that has one.
fn most_special<'db, T: Copy + PartialEq>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    args: GenericArgs<'db>,
    name: &Name,
    of_kind: impl Fn(AssocItemId) -> Option<T>,
) -> Option<(T, GenericArgs<'db>)> {
    let db = cx.db;
    let candidates = candidates(cx, trait_, args, name, of_kind);
    if candidates.is_empty() {
        return None;
    }
    let own = hir_def::hir::generics::GenericParams::of(db, trait_.into()).len();
    let of_trait = GenericArgs::new_from_slice(&args[..own]);
    let trait_ref = TraitRef::new_from_args(cx.interner, trait_.into(), of_trait);
    let env = cx.env().param_env;
    let infcx = cx.infcx();
    let most_special = |undecided| {
        let matching = candidates.iter().filter_map(|&(impl_, item)| {
            let impl_args = applies(db, &infcx, env, (impl_, undecided), trait_ref)?;
            Some((impl_, item, impl_args))
        });
        matching.reduce(|best, other| if specialises(cx, other.0, best.0) { other } else { best })
    };
    let (_, found, impl_args) = most_special(Undecided::Fails).or_else(|| most_special(Undecided::Holds))?;
    let all = impl_args.iter().chain(args.iter().skip(own));
    Some((found, GenericArgs::new_from_iter(cx.interner, all)))
}

/// Impls that may apply to this type and that have the item.
fn candidates<'db, T: Copy + PartialEq>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    args: GenericArgs<'db>,
    name: &Name,
    of_kind: impl Fn(AssocItemId) -> Option<T>,
) -> Vec<(ImplId, T)> {
    let db = cx.db;
    let Some(self_ty) = args.types().next() else { return Vec::new() };
    let simple = simplify_type(cx.interner, self_ty, TreatParams::InstantiateWithInfer);
    let mut found = Vec::new();
    let mut add = |impls: &TraitImpls<'db>| {
        let exact = simple.as_ref().map_or(&[][..], |simple| impls.for_trait_and_self_ty(trait_, simple).0);
        for &impl_ in exact.iter().chain(impls.blanket_impls(trait_)) {
            let item = impl_.impl_items(db).items.iter().filter(|it| it.0 == *name).find_map(|it| of_kind(it.1));
            if let Some(item) = item
                && !found.contains(&(impl_, item))
            {
                found.push((impl_, item));
            }
        }
    };
    for impls in TraitImpls::for_crate_and_deps(db, cx.krate) {
        add(impls);
    }
    impls_in_blocks::enclosing_impls(db, self_ty).into_iter().for_each(&mut add);
    impls_in_bodies::impls(cx, trait_, args).into_iter().for_each(add);
    found
}

/// Whether `general` applies to everything that `special` applies to.
fn specialises(cx: &TypeCx<'_>, special: ImplId, general: ImplId) -> bool {
    let db = cx.db;
    let env = db.trait_environment(special.into());
    let Some(trait_ref) = db.impl_trait(special) else { return false };
    let trait_ref = trait_ref.instantiate_identity().skip_norm_wip();
    applies(db, &cx.infcx(), env, (general, Undecided::Fails), trait_ref).is_some()
}
