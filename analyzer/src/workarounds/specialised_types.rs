//! Associated types of impls that specialise each other.
//!
//! * Symptom: the solver reports an ambiguity, and the type stays a projection without a layout.
//! * Test: `iter/step_by_range`.
//! * Upstream: none known.
//! * Goes when: the solver supports specialisation.
//!
//! For functions see [`super::specialised_functions`].

use super::{
    deep_bounds::{Undecided, applies},
    impls_in_bodies,
};
use crate::types::TypeCx;
use hir_def::signatures::TypeAliasSignature;
use hir_def::{AssocItemId, ImplId, ItemContainerId, Lookup, TraitId, hir::generics::GenericParams};
use hir_ty::{
    GenericPredicates, TyDefId,
    method_resolution::TraitImpls,
    next_solver::{AliasTyKind, DbInterner, GenericArgs, SimplifiedType, TraitRef, Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    fast_reject::{TreatParams, simplify_type},
    inherent::IntoKind,
};

/// The impls of a trait that apply to concrete arguments, the most specific first.
fn applicable<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    args: GenericArgs<'db>,
    undecided: Undecided,
) -> Vec<(ImplId, GenericArgs<'db>)> {
    let (db, interner) = (cx.db, cx.interner);
    let Some(self_ty) = args.types().next() else { return Vec::new() };
    let simplified: Option<SimplifiedType<'db>> = simplify_type(interner, self_ty, TreatParams::AsRigid);
    let wanted = TraitRef::new_from_args(interner, trait_.into(), args);
    let env = cx.env().param_env;
    let mut found = Vec::new();
    let everywhere = TraitImpls::for_crate_and_deps(db, cx.krate).iter().map(|it| &**it);
    for impls in everywhere.chain(impls_in_bodies::impls(cx, trait_, args)) {
        let own = simplified.as_ref().map(|ty| impls.for_trait_and_self_ty(trait_, ty).0).unwrap_or_default();
        for &id in own.iter().chain(impls.blanket_impls(trait_)) {
            if let Some(args) = applies(db, &cx.infcx(), env, (id, undecided), wanted) {
                let args = cx.canonical(args);
                let bounds = GenericPredicates::query_all(db, id.into()).skip_binder().count();
                found.push((bounds, id, args));
            }
        }
    }
    // A specialising impl has more bounds than the impl that it specialises.
    found.sort_by_key(|&(bounds, ..)| std::cmp::Reverse(bounds));
    found.into_iter().map(|(_, id, args)| (id, args)).collect()
}

/// Splits the arguments of a trait item into those of the trait and those of the item.
fn split<'db>(
    cx: &TypeCx<'db>,
    trait_: TraitId,
    args: GenericArgs<'db>,
) -> (GenericArgs<'db>, Vec<hir_ty::next_solver::GenericArg<'db>>) {
    let count = GenericParams::of(cx.db, trait_.into()).len();
    let (outer, own) = args.as_slice().split_at(count.min(args.len()));
    (GenericArgs::new_from_slice(outer), own.to_vec())
}

/// Normalises a projection that the solver left unchanged.
pub(crate) fn project<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<Ty<'db>> {
    let TyKind::Alias(alias) = ty.kind() else { return None };
    let AliasTyKind::Projection { def_id } = alias.kind else { return None };
    let (db, interner): (_, DbInterner<'db>) = (cx.db, cx.interner);
    let ItemContainerId::TraitId(trait_) = def_id.0.lookup(db).container else { return None };
    let name = &TypeAliasSignature::of(db, def_id.0).name;
    let (outer, own) = split(cx, trait_, alias.args);
    let mut impls = applicable(cx, trait_, outer, Undecided::Fails);
    if impls.is_empty() {
        impls = applicable(cx, trait_, outer, Undecided::Holds);
    }
    impls.into_iter().find_map(|(id, args)| {
        let item = id.impl_items(db).items.iter().find_map(|(found, item)| match *item {
            AssocItemId::TypeAliasId(alias) if found == name => Some(alias),
            _ => None,
        })?;
        let args = GenericArgs::new_from_iter(interner, args.iter().chain(own.iter().copied()));
        Some(db.ty(TyDefId::TypeAliasId(item)).instantiate(interner, args).skip_norm_wip())
    })
}
