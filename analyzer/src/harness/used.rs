//! The types that examples and tests use: the best choice of type arguments where bounds alone lead to none.

use super::builder::HarnessBuilder;
use crate::{
    guard,
    types::{TypeCx, UsedTypes},
    workarounds::inference,
};
use hir_def::{AdtId, expr_store::Body};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_base_db::Crate;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashMap;
use rustc_type_ir::{TypeVisitableExt, inherent::IntoKind};
use std::rc::Rc;

/// Maximum number of instances of a type that are tried.
const MAX_INSTANCES: usize = 3;

impl<'db> HarnessBuilder<'_, 'db> {
    /// The instances of a type that examples and tests use most often, and the one with the library's stub.
    pub(super) fn used_instances(&mut self, adt: AdtId) -> Vec<Ty<'db>> {
        let of_identity = self.cx.db.ty(adt.into()).instantiate_identity().skip_norm_wip();
        let used = if of_identity.has_param() { used_types(self.cx).get(&adt).cloned() } else { None };
        used.into_iter().flatten().take(MAX_INSTANCES).chain(self.stubbed(adt).map(|it| it.0)).collect()
    }

    /// Whether examples and tests are written in a crate: its private items are as good as public ones.
    pub(super) fn is_example(&self, krate: Crate) -> bool {
        !self.is_strict && self.cx.source.is_example(krate)
    }
}

/// The instances of the workspace's types in the bodies of examples and tests, the most frequent first.
fn used_types<'db>(cx: &mut TypeCx<'db>) -> Rc<UsedTypes<'db>> {
    if let Some(known) = &cx.used {
        return known.clone();
    }
    let db = cx.db;
    let mut found: FxHashMap<AdtId, Vec<(Ty<'db>, usize)>> = FxHashMap::default();
    for body in cx.source.example_bodies(cx.krate) {
        let types = guard::bounded(db, Some(body), || {
            let (inferred, store) = (inference::of(db, body), Body::of(db, body));
            let of_patterns = store.pats().filter_map(|(id, _)| inferred.type_of_expr_or_pat(id.into()));
            of_patterns.collect::<Vec<Ty<'db>>>()
        });
        for ty in types.unwrap_or_default() {
            let ty = cx.canonical(ty.strip_references());
            let TyKind::Adt(def, args) = ty.kind() else { continue };
            let is_concrete = !ty.has_param() && !ty.has_infer() && !ty.references_error();
            if args.types().next().is_none() || !is_concrete {
                continue;
            }
            let known = found.entry(def.def_id()).or_default();
            match known.iter_mut().find(|(other, _)| *other == ty) {
                Some((_, count)) => *count += 1,
                None => known.push((ty, 1)),
            }
        }
    }
    let used = found.into_iter().map(|(adt, mut types)| {
        types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        (adt, types.into_iter().map(|(ty, _)| ty).collect())
    });
    let used: Rc<UsedTypes<'db>> = Rc::new(used.collect());
    cx.used = Some(used.clone());
    used
}
