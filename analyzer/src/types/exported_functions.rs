//! Foreign functions that the program itself defines: the linker matches them by name (the Reference, "Application
//! binary interface", the `no_mangle` attribute).

use super::{TypeCx, functions};
use hir_def::{
    FunctionId, HasModule, ItemContainerId, Lookup, ModuleDefId,
    attrs::AttrFlags,
    nameres::crate_def_map,
    signatures::{FnFlags, FunctionSignature},
};
use hir_ty::next_solver::GenericArgs;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;

/// The program's own definition of a foreign function, if parameters and results have the same sizes. Functions in
/// bodies and `impl`s are ignored, as are foreign functions declared by std. If programs that share their code have
/// definitions of the same name, which one is meant is unknown.
pub(super) fn definition_of(cx: &mut TypeCx<'_>, foreign: FunctionId) -> Option<FunctionId> {
    let db = cx.db;
    let ItemContainerId::ExternBlockId(_) = foreign.lookup(db).container else { return None };
    if cx.source.is_std(foreign.module(db).krate(db)) {
        return None;
    }
    let definition = find_by_name(cx, foreign)?;
    (abi(cx, foreign)? == abi(cx, definition)?).then_some(definition)
}

fn find_by_name(cx: &TypeCx<'_>, foreign: FunctionId) -> Option<FunctionId> {
    let db = cx.db;
    let name = &FunctionSignature::of(db, foreign).name;
    let crates = cx.krate.transitive_deps(db);
    let crates = crates.into_iter().filter(|&krate| !cx.source.is_std(krate));
    let mut found =
        crates.flat_map(|krate| crate_def_map(db, krate).modules()).filter_map(|(module, data)| {
            match data.scope.get(name).values?.def {
                ModuleDefId::FunctionId(func)
                    if func.lookup(db).container == ItemContainerId::ModuleId(module)
                        && AttrFlags::query(db, func.into()).contains(AttrFlags::NO_MANGLE)
                        && functions::has_body(db, func) =>
                {
                    Some(func)
                }
                _ => None,
            }
        });
    found.next().filter(|_| found.next().is_none())
}

/// Sizes and alignments of a function's parameters and result; `None` for variadic functions.
fn abi(cx: &mut TypeCx<'_>, func: FunctionId) -> Option<Vec<(u64, u64)>> {
    if FunctionSignature::of(cx.db, func).flags.contains(FnFlags::HAS_VARARGS) {
        return None;
    }
    let (inputs, output) = cx.signature(func, GenericArgs::empty(cx.interner));
    inputs.into_iter().chain([output]).map(|ty| cx.layout(ty).ok().map(|it| (it.size, it.align))).collect()
}
