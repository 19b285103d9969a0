//! Runtimes of futures whose context a thread can enter, so that what it calls may start tasks.

use super::crate_name;
use hir_def::{AdtId, FunctionId, ModuleDefId, ModuleId, nameres::crate_def_map};
use hir_expand::name::Name;
use hir_ty::db::HirDatabase;
use ra_ap_base_db::Crate;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;

/// Crates with a runtime, and the path of its handle.
const HANDLES: [(&str, [&str; 2]); 1] = [("tokio", ["runtime", "Handle"])];

/// The functions that give a thread's handle of a runtime, if it is in one, and that enter the runtime until what they give is
/// dropped.
const FUNCTIONS: [&str; 2] = ["try_current", "enter"];

/// These functions of a runtime that a crate can use.
pub fn entering(db: &dyn HirDatabase, krate: Crate) -> Option<[FunctionId; 2]> {
    krate.transitive_deps(db).into_iter().find_map(|dep| {
        let name = crate_name(db, dep)?;
        let (_, path) = HANDLES.iter().find(|(of, _)| *of == name)?;
        functions(db, handle(db, dep, *path)?)
    })
}

fn handle(db: &dyn HirDatabase, krate: Crate, [module, ty]: [&str; 2]) -> Option<AdtId> {
    let root: ModuleId = crate_def_map(db, krate).root_module_id();
    let module = *root.def_map(db)[root].children.get(&Name::new_root(module))?;
    match module.def_map(db)[module].scope.get(&Name::new_root(ty)).types?.def {
        ModuleDefId::AdtId(id) => Some(id),
        _ => None,
    }
}

fn functions(db: &dyn HirDatabase, handle: AdtId) -> Option<[FunctionId; 2]> {
    let impls = hir::Impl::all_for_type(db, hir::Adt::from(handle).ty(db));
    let inherent = impls.into_iter().filter(|it| it.trait_(db).is_none());
    let all: Vec<hir::Function> = inherent
        .flat_map(|it| it.items(db))
        .filter_map(|item| match item {
            hir::AssocItem::Function(function) => Some(function),
            _ => None,
        })
        .collect();
    let [current, enter] = FUNCTIONS.map(|name| all.iter().find(|it| it.name(db).as_str() == name).copied());
    // tokio 0.2 takes a closure.
    let enter = enter.filter(|it| it.num_params(db) == 1)?;
    Some([current?.try_into().ok()?, enter.try_into().ok()?])
}
