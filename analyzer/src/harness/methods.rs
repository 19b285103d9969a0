//! The functions of a type that a harness may call: inherent ones and those of traits.

use super::{View, builder::HarnessBuilder, surface};
use hir_def::{
    AssocItemId, FunctionId, ImplId, TraitId,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::{
    method_resolution::{InherentImpls, TraitImpls},
    next_solver::{GenericArgs, Ty},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::fast_reject::{TreatParams, simplify_type};

impl<'db> HarnessBuilder<'_, 'db> {
    /// The functions of a type with the arguments of their impls: first the inherent ones, then those of traits that
    /// its crate implements for it, in source order. Derived impls are ignored.
    pub(super) fn methods_of(&self, ty: Ty<'db>) -> Vec<(FunctionId, GenericArgs<'db>)> {
        let mut found = Vec::new();
        for (id, args) in self.impls_of(ty) {
            found.extend(self.functions_of(id).into_iter().filter(|func| self.sees(*func)).map(|func| (func, args)));
        }
        for (id, args) in self.trait_impls_of(ty) {
            self.by_trait(id, args, &mut found);
        }
        let is_unsafe = |func| FunctionSignature::of(self.cx.db, func).flags.contains(FnFlags::UNSAFE);
        found.retain(|(func, _)| !is_unsafe(*func));
        found
    }

    /// The inherent impls of a type, with their arguments.
    pub(super) fn impls_of(&self, ty: Ty<'db>) -> Vec<(ImplId, GenericArgs<'db>)> {
        self.inherent(ty).into_iter().filter_map(|id| Some((id, self.impl_args(id, ty)?))).collect()
    }

    /// The inherent impls of a type, ignoring generic arguments.
    pub(super) fn inherent(&self, ty: Ty<'db>) -> Vec<ImplId> {
        let (db, interner) = (self.cx.db, self.interner());
        let Some((adt, _)) = ty.as_adt() else { return Vec::new() };
        let Some(simple) = simplify_type(interner, ty, TreatParams::InstantiateWithInfer) else { return Vec::new() };
        let krate = hir_def::HasModule::module(&adt, db).krate(db);
        InherentImpls::for_crate(db, krate).for_self_ty(&simple).to_vec()
    }

    /// The trait impls of a type in its own crate, with their arguments.
    fn trait_impls_of(&self, ty: Ty<'db>) -> Vec<(ImplId, GenericArgs<'db>)> {
        let (db, interner) = (self.cx.db, self.interner());
        let Some((adt, _)) = ty.as_adt() else { return Vec::new() };
        let Some(simple) = simplify_type(interner, ty, TreatParams::InstantiateWithInfer) else { return Vec::new() };
        let krate = hir_def::HasModule::module(&adt, db).krate(db);
        let mut found: Vec<ImplId> = Vec::new();
        TraitImpls::for_crate(db, krate).for_self_ty(&simple, |impls| {
            found.extend_from_slice(impls.left().unwrap_or_default());
        });
        // They come from a hash map, so sort them.
        found.sort_unstable();
        found.into_iter().filter_map(|id| Some((id, self.impl_args(id, ty)?))).collect()
    }

    /// The functions of a trait impl: those in the impl, and the provided methods of a user's trait. Destructors are
    /// not called directly.
    fn by_trait(&self, id: ImplId, args: GenericArgs<'db>, found: &mut Vec<(FunctionId, GenericArgs<'db>)>) {
        let db = self.cx.db;
        let Some(header) = db.impl_trait(id) else { return };
        let header = header.instantiate(self.interner(), args).skip_norm_wip();
        let of = header.def_id.0;
        if self.interner().lang_items().Drop == Some(of) || !self.sees_trait(of) {
            return;
        }
        let written = self.functions_of(id);
        let name = |func: FunctionId| FunctionSignature::of(db, func).name.clone();
        let names: Vec<_> = written.iter().map(|func| name(*func)).collect();
        found.extend(written.into_iter().map(|func| (func, args)));
        if !self.is_users_trait(of) {
            return;
        }
        let args = self.cx.canonical(header.args);
        let provided = of.trait_items(db).items.iter().filter_map(|(_, item)| match item {
            AssocItemId::FunctionId(func) => Some(*func),
            _ => None,
        });
        found.extend(provided.filter(|func| !names.contains(&name(*func))).map(|func| (func, args)));
    }

    /// Whether the functions of a trait can be named.
    fn sees_trait(&self, id: TraitId) -> bool {
        self.view == View::Inside || !self.is_users_trait(id) || {
            let krate = hir_def::HasModule::module(&id, self.cx.db).krate(self.cx.db);
            surface::public_traits(self.cx.db, krate).contains(&id)
        }
    }

    fn is_users_trait(&self, id: TraitId) -> bool {
        self.cx.source.is_local(hir_def::HasModule::module(&id, self.cx.db).krate(self.cx.db))
    }
}
