//! Every public type of std has a layout.

use std::fmt::Write as _;

use expect_test::expect;
use hir::{Adt, HasVisibility, Module, ModuleDef, Visibility};
use hir_def::lang_item::lang_items;
use hir_def::{AdtId, GenericDefId, GenericParamId};
use hir_ty::ParamEnvAndCrate;
use hir_ty::consteval::usize_const;
use hir_ty::db::HirDatabase;
use hir_ty::next_solver::{DbInterner, GenericArgs, ParamEnv, Region, Ty, TyKind};
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::UintTy;
use rustc_type_ir::inherent::Region as _;

use analyzer::project::Project;

use super::support::single;

/// The layout's error when the type's parameters, those without default, are all of type `argument`.
fn layout_error<'db>(project: &'db Project, id: AdtId, argument: Ty<'db>, krate: hir::Crate) -> Option<String> {
    let db = project.db();
    let interner = DbInterner::new_with(db, krate.into());
    let args =
        GenericArgs::for_item_with_defaults(interner, GenericDefId::from(id), |_, parameter, _| match parameter {
            GenericParamId::TypeParamId(_) => argument.into(),
            GenericParamId::ConstParamId(_) => usize_const(db, Some(3), krate.into()).into(),
            GenericParamId::LifetimeParamId(_) => Region::new_static(interner).into(),
        });
    let ty = Ty::new_adt(interner, id, args);
    let env = ParamEnvAndCrate { param_env: ParamEnv::empty(interner), krate: krate.into() };
    db.layout_of_ty(ty.store(), env.store()).err().map(|error| error.to_string())
}

#[test]
fn public_types_have_layouts() {
    let report = single("fn main() {}").with_db(|project| {
        let db = project.db();
        let user = project.local_crates()[0];
        let interner = DbInterner::new_with(db, user.into());
        let byte = Ty::new_uint(interner, UintTy::U8);
        // An iterator, for the many types that hold an item of one.
        let range = lang_items(db, user.into()).Range.expect("core has ranges");
        let range = Ty::new_adt(interner, range.into(), GenericArgs::new_from_slice(&[byte.into()]));
        let character = Ty::new(interner, TyKind::Char);
        let mut failed = Vec::new();
        let mut count = 0;
        for krate in project.crates().into_iter().filter(|krate| project.is_std(*krate)) {
            let mut modules: Vec<Module> = vec![krate.root_module(db)];
            while let Some(module) = modules.pop() {
                modules.extend(module.children(db));
                for item in module.declarations(db) {
                    let ModuleDef::Adt(adt) = item else { continue };
                    if !matches!(adt.visibility(db), Visibility::Public) {
                        continue;
                    }
                    count += 1;
                    let id = AdtId::from(adt);
                    if let Some(error) = layout_error(project, id, byte, user)
                        && layout_error(project, id, range, user).is_some()
                        // A pattern.
                        && layout_error(project, id, character, user).is_some()
                    {
                        failed.push(format!("{}: {error}", path(project, adt)));
                    }
                }
            }
        }
        failed.sort();
        let mut report = format!("{} hundred types\n", count / 100);
        failed.iter().for_each(|line| writeln!(report, "{line}").expect("a string takes all"));
        report
    });
    expect![[r#"
        7 hundred types
        core::future::join::MaybeDone: type contains placeholders
        core::iter::adapters::flatten::Flatten: type contains placeholders
        core::str::pattern::CharPredicateSearcher: type contains placeholders
    "#]]
    .assert_eq(&report);
}

fn path(project: &Project, adt: Adt) -> String {
    let db = project.db();
    let module = adt.module(db);
    let names = module.path_to_root(db).into_iter().rev().filter_map(|module| module.name(db));
    let krate = module.krate(db).display_name(db).map(|name| name.to_string()).unwrap_or_default();
    let names: String = names.map(|name| format!("::{}", name.as_str())).collect();
    format!("{krate}{names}::{}", adt.name(db).as_str())
}
