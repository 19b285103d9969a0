//! The public API of a crate: items reachable from its root module by public paths.

use super::{HarnessTarget, Subject, View};
use hir::HasVisibility;
use hir_def::{
    AdtId, ModuleDefId, ModuleId, TraitId,
    lang_item::lang_items,
    nameres::crate_def_map,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashSet;

/// The items of a crate that other crates can call, in the order of modules and names. Items marked `#[doc(hidden)]`
/// are excluded: they are for the crate's macros.
pub(crate) fn public(db: &dyn HirDatabase, krate: Crate) -> Vec<HarnessTarget> {
    let mut known = FxHashSet::default();
    let subjects = reachable_items(db, krate).into_iter().filter_map(|def| match def {
        ModuleDefId::FunctionId(id) => {
            let is_unsafe = FunctionSignature::of(db, id).flags.contains(FnFlags::UNSAFE);
            (!is_unsafe).then_some(Subject::Function(id))
        }
        ModuleDefId::AdtId(id @ (AdtId::StructId(_) | AdtId::EnumId(_))) => Some(Subject::Type(id)),
        _ => None,
    });
    subjects
        .filter(|subject| known.insert(*subject))
        .map(|subject| HarnessTarget { subject, view: View::Outside })
        .collect()
}

/// The traits of a crate that other crates can name.
pub(super) fn public_traits(db: &dyn HirDatabase, krate: Crate) -> FxHashSet<TraitId> {
    let traits = reachable_items(db, krate).into_iter().filter_map(|def| match def {
        ModuleDefId::TraitId(id) => Some(id),
        _ => None,
    });
    traits.collect()
}

/// The items of a crate reachable from its root module by public paths, in the order of modules and names, once for
/// each path.
fn reachable_items(db: &dyn HirDatabase, krate: Crate) -> Vec<ModuleDefId> {
    let mut modules = vec![crate_def_map(db, krate).root_module_id()];
    let mut next = 0;
    let mut found = Vec::new();
    while let Some(module) = modules.get(next).copied() {
        next += 1;
        for def in public_items(db, module) {
            match def {
                ModuleDefId::ModuleId(id) if id.krate(db) == krate && !modules.contains(&id) => modules.push(id),
                def if hir::ModuleDef::from(def).module(db).is_some_and(|it| it.krate(db) == krate.into()) => {
                    found.push(def);
                }
                _ => {}
            }
        }
    }
    found
}

/// The public items of a module, sorted by name.
fn public_items(db: &dyn HirDatabase, module: ModuleId) -> Vec<ModuleDefId> {
    let scope = &module.def_map(db)[module].scope;
    let mut found: Vec<(String, ModuleDefId)> = Vec::new();
    for (name, item) in scope.types().map(|(name, item)| (name, (item.def, item.vis))) {
        if item.1.is_public() {
            found.push((name.as_str().to_owned(), item.0));
        }
    }
    for (name, item) in scope.values().map(|(name, item)| (name, (item.def, item.vis))) {
        if item.1.is_public() {
            found.push((name.as_str().to_owned(), item.0));
        }
    }
    found.retain(|(_, def)| !is_hidden(db, *def));
    found.sort_by(|one, two| one.0.cmp(&two.0));
    found.into_iter().map(|(_, def)| def).collect()
}

fn is_hidden(db: &dyn HirDatabase, def: ModuleDefId) -> bool {
    let def = hir::ModuleDef::from(def);
    // A public import does not make a `pub(in ..)` item public.
    def.visibility(db) != hir::Visibility::Public || def.attrs(db).is_some_and(|attrs| attrs.is_doc_hidden())
}

/// Whether a value of a type may change while it is shared: it has an `UnsafeCell` or a raw pointer, itself or in a
/// field, at any depth. Type parameters count for nothing.
pub(crate) fn is_shareable(db: &dyn HirDatabase, adt: AdtId) -> bool {
    let cell = lang_items(db, hir_def::HasModule::module(&adt, db).krate(db)).UnsafeCell.map(AdtId::StructId);
    let mut known = FxHashSet::default();
    let mut left = vec![hir::Adt::from(adt)];
    while let Some(adt) = left.pop() {
        if !known.insert(adt) {
            continue;
        }
        if Some(AdtId::from(adt)) == cell {
            return true;
        }
        let fields = match adt {
            hir::Adt::Struct(it) => it.fields(db),
            hir::Adt::Union(it) => it.fields(db),
            hir::Adt::Enum(it) => it.variants(db).into_iter().flat_map(|variant| variant.fields(db)).collect(),
        };
        let mut is_raw = false;
        for field in fields {
            field.ty(db).walk(db, |ty| {
                is_raw |= ty.is_raw_ptr();
                left.extend(ty.as_adt());
            });
        }
        if is_raw {
            return true;
        }
    }
    false
}
