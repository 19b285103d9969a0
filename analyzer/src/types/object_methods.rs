//! The vtable entries of a `dyn` type, in order.

use super::TypeCx;
use hir_def::{AssocItemId, FunctionId, TraitId};
use hir_ty::next_solver::{
    Binder, BoundExistentialPredicates, ExistentialPredicate, ExistentialTraitRef, GenericArgs, Region, TraitRef, Ty,
    TyKind,
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{
    elaborate,
    inherent::{BoundExistentialPredicates as _, IntoKind},
};
use std::rc::Rc;

/// Index of the first method.
const FIRST: u32 = 3;

/// A vtable entry after drop glue, size and alignment.
#[derive(Clone, PartialEq, Debug)]
pub enum VtableEntry<'db> {
    /// A trait method under the trait's arguments; `Self` is the `dyn` type.
    Method(FunctionId, GenericArgs<'db>),
    /// The vtable for this supertrait under these arguments. The type is the supertrait's plain `dyn` type.
    Super(TraitId, GenericArgs<'db>, Ty<'db>),
}

impl<'db> TypeCx<'db> {
    /// The vtable entries of a `dyn` type.
    pub fn entries(&mut self, dyn_ty: Ty<'db>) -> Rc<Vec<VtableEntry<'db>>> {
        if let Some(known) = self.vtable_methods.get(&dyn_ty) {
            return known.clone();
        }
        let made = Rc::new(self.find_entries(dyn_ty));
        self.vtable_methods.insert(dyn_ty, made.clone());
        made
    }

    fn find_entries(&mut self, dyn_ty: Ty<'db>) -> Vec<VtableEntry<'db>> {
        let TyKind::Dynamic(bounds, _) = dyn_ty.kind() else { return Vec::new() };
        let Some(principal) = bounds.principal() else { return Vec::new() };
        let interner = self.interner;
        let principal = principal.with_self_ty(interner, dyn_ty);
        let mut methods = Vec::new();
        let mut supers = Vec::new();
        let traits: Vec<_> = elaborate::supertraits(interner, principal).collect();
        for (number, trait_ref) in traits.into_iter().enumerate() {
            let trait_ref = interner.instantiate_bound_regions_with_erased(trait_ref);
            let trait_id = trait_ref.def_id.0;
            let args = self.normalize_any(trait_ref.args);
            for (_, item) in &trait_id.trait_items(self.db).items {
                if let AssocItemId::FunctionId(func) = *item {
                    methods.push(VtableEntry::Method(func, args));
                }
            }
            if number > 0 {
                let plain = TraitRef::new_from_args(interner, trait_ref.def_id, args);
                let plain = ExistentialPredicate::Trait(ExistentialTraitRef::erase_self_ty(interner, plain));
                let bounds = BoundExistentialPredicates::new_from_iter(interner, [Binder::dummy(plain)]);
                let ty = Ty::new(interner, TyKind::Dynamic(bounds, Region::new_erased(interner)));
                supers.push(VtableEntry::Super(trait_id, args, ty));
            }
        }
        methods.extend(supers);
        methods
    }

    /// Index of a trait method in the vtables of a `dyn` type, under the trait's arguments.
    pub fn method_index(&mut self, dyn_ty: Ty<'db>, func: FunctionId, args: GenericArgs<'db>) -> Option<u32> {
        let entries = self.entries(dyn_ty);
        let candidates = entries.iter().enumerate().filter_map(|(index, entry)| match entry {
            VtableEntry::Method(id, of) if *id == func => Some((index, *of)),
            _ => None,
        });
        self.unique(candidates.collect(), args).map(|index| FIRST + index as u32)
    }

    /// The index of the only candidate, or of the candidate with these arguments if a trait occurs with several.
    fn unique(&self, candidates: Vec<(usize, GenericArgs<'db>)>, args: GenericArgs<'db>) -> Option<usize> {
        // Compare only if necessary: equal lifetimes may have different representations.
        if let [(index, _)] = candidates[..] {
            return Some(index);
        }
        let args = self.normalize_any(args);
        let same = |of: &GenericArgs<'db>| {
            of.iter().zip(args.iter()).skip(1).all(|(left, right)| left.region().is_some() || left == right)
        };
        candidates.iter().find(|(_, of)| same(of)).map(|(index, _)| *index)
    }

    /// Index of the entry of `from`'s vtables that holds the vtable for the principal trait of `to`; `None` if there
    /// is none.
    pub fn super_index(&mut self, from: Ty<'db>, target: TraitRef<'db>) -> Option<u32> {
        let entries = self.entries(from);
        let candidates = entries.iter().enumerate().filter_map(|(index, entry)| match entry {
            VtableEntry::Super(id, of, _) if *id == target.def_id.0 => Some((index, *of)),
            _ => None,
        });
        self.unique(candidates.collect(), target.args).map(|index| FIRST + index as u32)
    }
}
