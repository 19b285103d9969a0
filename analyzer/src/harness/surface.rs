//! The public API of a crate: items reachable from its root module by public paths.

use super::{HarnessTarget, Subject, View};
use crate::std_models;
use hir::HasVisibility;
use hir_def::{
    AdtId, AssocItemId, FunctionId, GenericDefId, ImplId, ModuleDefId, ModuleId, TraitId,
    lang_item::lang_items,
    nameres::crate_def_map,
    signatures::{FnFlags, FunctionSignature, TraitSignature},
};
use hir_ty::{
    GenericPredicates,
    db::HirDatabase,
    next_solver::{Clause, ClauseKind},
};
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashSet;
use rustc_type_ir::inherent::IntoKind;

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

/// The traits of a crate that other crates can name, in the order of modules and names.
pub(crate) fn public_traits(db: &dyn HirDatabase, krate: Crate) -> Vec<TraitId> {
    let traits = reachable_items(db, krate).into_iter().filter_map(|def| match def {
        ModuleDefId::TraitId(id) => Some(id),
        _ => None,
    });
    let mut known = FxHashSet::default();
    traits.filter(|id| known.insert(*id)).collect()
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

/// The modules of a crate that have statics and public functions.
pub(crate) fn modules_with_statics(db: &dyn HirDatabase, krate: Crate) -> Vec<ModuleId> {
    let mut found: Vec<ModuleId> = Vec::new();
    for target in public(db, krate) {
        let Subject::Function(func) = target.subject else { continue };
        let module = hir_def::HasModule::module(&func, db);
        let is_static = |def: &ModuleDefId| matches!(def, ModuleDefId::StaticId(_));
        if !found.contains(&module) && module.def_map(db)[module].scope.declarations().any(|def| is_static(&def)) {
            found.push(module);
        }
    }
    found
}

/// The public functions of a module, by name.
pub(super) fn functions_of_module(db: &dyn HirDatabase, module: ModuleId) -> Vec<FunctionId> {
    let of = |target: HarnessTarget| match target.subject {
        Subject::Function(func) => Some(func).filter(|func| hir_def::HasModule::module(func, db) == module),
        _ => None,
    };
    public(db, module.krate(db)).into_iter().filter_map(of).collect()
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

/// The names of the traits that bounds in a crate ask for.
pub(super) fn bounds(db: &dyn HirDatabase, krate: Crate) -> FxHashSet<String> {
    let mut items: Vec<GenericDefId> = Vec::new();
    for (_, module) in crate_def_map(db, krate).modules() {
        items.extend(module.scope.declarations().filter_map(|def| match def {
            ModuleDefId::FunctionId(id) => Some(GenericDefId::from(id)),
            ModuleDefId::AdtId(id) => Some(id.into()),
            ModuleDefId::TraitId(id) => Some(id.into()),
            _ => None,
        }));
        for id in module.scope.impls() {
            items.push(id.into());
            items.extend(id.impl_items(db).items.iter().filter_map(|(_, item)| match *item {
                AssocItemId::FunctionId(id) => Some(GenericDefId::from(id)),
                _ => None,
            }));
        }
    }
    let mut found = FxHashSet::default();
    for item in items {
        for clause in GenericPredicates::query_all(db, item).skip_binder() {
            if let ClauseKind::Trait(bound) = clause.kind().skip_binder() {
                found.insert(TraitSignature::of(db, bound.trait_ref.def_id.0).name.as_str().to_owned());
            }
        }
    }
    found
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
    has_part(db, adt, |part| match part {
        Part::Type(adt) => Some(adt) == cell,
        Part::Pointer => true,
    })
}

/// Whether a type, or a field at any depth, is one of these types.
pub(crate) fn has_one_of(db: &dyn HirDatabase, adt: AdtId, types: &FxHashSet<AdtId>) -> bool {
    has_part(db, adt, |part| matches!(part, Part::Type(adt) if types.contains(&adt)))
}

/// The types of a crate that are `Send` or `Sync` because an `unsafe impl` says so.
pub(crate) fn promising(db: &dyn HirDatabase, krate: Crate) -> FxHashSet<AdtId> {
    promises(db, krate).filter_map(|it| it.self_ty(db).as_adt()).map(AdtId::from).collect()
}

/// An `unsafe impl` of `Send` or `Sync` for a type or a part of it: of the trait with this name, and one that asks no
/// thread safety of any parameter, if there is one.
pub(crate) fn promise(db: &dyn HirDatabase, adt: AdtId, wanted: &str) -> Option<hir::Impl> {
    let krate = hir_def::HasModule::module(&adt, db).krate(db);
    let of = |it: &hir::Impl| it.self_ty(db).as_adt().map(AdtId::from);
    let is_part = |it: &hir::Impl| of(it).is_some_and(|part| has_one_of(db, adt, &FxHashSet::from_iter([part])));
    let is_bound = |it: &hir::Impl| {
        let of_trait = |clause: &Clause<'_>| match clause.kind().skip_binder() {
            ClauseKind::Trait(bound) => std_models::is_thread_safety(db, bound.trait_ref.def_id.0),
            _ => false,
        };
        let Ok(id) = ImplId::try_from(*it) else { return false };
        GenericPredicates::query_all(db, id.into()).skip_binder().any(|clause| of_trait(&clause))
    };
    promises(db, krate).filter(is_part).min_by_key(|it| {
        let is_other = it.trait_(db).is_none_or(|of| of.name(db).as_str() != wanted);
        (is_other, is_bound(it), of(it) != Some(adt))
    })
}

fn promises(db: &dyn HirDatabase, krate: Crate) -> impl Iterator<Item = hir::Impl> {
    let is_promise = |it: &hir::Impl| {
        it.trait_(db).is_some_and(|of| std_models::is_thread_safety(db, of.into())) && !it.is_negative(db)
    };
    hir::Impl::all_in_crate(db, krate.into()).into_iter().filter(is_promise)
}

/// Whether a function returns two values of types of its own crate, in a `Result` or `Option` or not.
pub(crate) fn returns_pair(db: &dyn HirDatabase, func: FunctionId) -> bool {
    let function = hir::Function::from(func);
    let krate = function.module(db).krate(db);
    let output = function.ret_type(db);
    let inner = output.type_arguments().next().filter(|_| !output.is_tuple());
    let parts = inner.as_ref().unwrap_or(&output).tuple_fields(db);
    let is_own = |ty: &hir::Type<'_>| ty.as_adt().is_some_and(|adt| adt.module(db).krate(db) == krate);
    let is_safe = !FunctionSignature::of(db, func).flags.intersects(FnFlags::UNSAFE | FnFlags::HAS_SELF_PARAM);
    is_safe && parts.len() == 2 && parts.iter().all(is_own)
}

/// A part of a type.
enum Part {
    Type(AdtId),
    /// A raw pointer.
    Pointer,
}

/// Whether a type has such a part: itself, or in a field at any depth.
fn has_part(db: &dyn HirDatabase, adt: AdtId, is_it: impl Fn(Part) -> bool) -> bool {
    let mut known = FxHashSet::default();
    let mut left = vec![hir::Adt::from(adt)];
    while let Some(adt) = left.pop() {
        if !known.insert(adt) {
            continue;
        }
        if is_it(Part::Type(adt.into())) {
            return true;
        }
        let fields = match adt {
            hir::Adt::Struct(it) => it.fields(db),
            hir::Adt::Union(it) => it.fields(db),
            hir::Adt::Enum(it) => it.variants(db).into_iter().flat_map(|variant| variant.fields(db)).collect(),
        };
        let mut is_found = false;
        for field in fields {
            field.ty(db).walk(db, |ty| {
                is_found |= ty.is_raw_ptr() && is_it(Part::Pointer);
                left.extend(ty.as_adt());
            });
        }
        if is_found {
            return true;
        }
    }
    false
}
