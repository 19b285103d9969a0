//! Lowering is total: every body of std is lowered without a panic, and unsupported code is counted.

use analyzer::{
    lower::lowered,
    project::{Input, LoadOptions, load},
};
use ra_ap_hir::{AssocItem, Crate, DefWithBody, ModuleDef};
use ra_ap_hir_def::DefWithBodyId;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

fn bodies(db: &analyzer::database::Database, krate: Crate) -> Vec<DefWithBodyId> {
    let mut out: Vec<DefWithBody> = vec![];
    let mut seen = FxHashSet::default();
    let mut queue = vec![krate.root_module(db)];
    while let Some(module) = queue.pop() {
        if !seen.insert(module) {
            continue;
        }
        queue.extend(module.children(db));
        for def in module.declarations(db) {
            match def {
                ModuleDef::Function(it) => out.push(it.into()),
                ModuleDef::Const(it) => out.push(it.into()),
                ModuleDef::Static(it) => out.push(it.into()),
                ModuleDef::Trait(it) => {
                    for item in it.items(db) {
                        if let AssocItem::Function(it) = item
                            && it.has_body(db)
                        {
                            out.push(it.into());
                        }
                    }
                }
                _ => {}
            }
        }
        for imp in module.impl_defs(db) {
            for item in imp.items(db) {
                match item {
                    AssocItem::Function(it) => out.push(it.into()),
                    AssocItem::Const(it) => out.push(it.into()),
                    _ => {}
                }
            }
        }
    }
    out.into_iter().filter_map(|it| DefWithBodyId::try_from(it).ok()).collect()
}

#[test]
fn every_body_of_std() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("main.rs");
    std::fs::write(&file, "fn main() {}").expect("a file");
    let project = load(&Input::File(file), &LoadOptions::default()).expect("a program");
    let report = project.with_db(|project| {
        let db = project.db();
        let mut gaps: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = 0;
        for krate in Crate::all(db) {
            for def in bodies(db, krate) {
                count += 1;
                let body = lowered(db, def);
                for ir in std::iter::once(&body.root).chain(body.closures.iter().map(|it| &it.1)) {
                    for gap in &ir.gaps {
                        *gaps.entry(gap.cause.to_string()).or_default() += 1;
                    }
                }
            }
        }
        assert!(count > 20_000, "only {count} bodies were found");
        gaps.into_iter().map(|(cause, count)| format!("{count} {cause}\n")).collect::<String>()
    });
    // Incomplete expressions are the bodies that intrinsics and foreign functions do not have.
    expect_test::expect![[r#"
        1 call of `ExternWeak::new`, which is not known
        1 call of `f`, which is not known
        1 call of `pidfd_getpid`, which is not known
        1 call of something that is not known
        667 incomplete expression
        4 message of an `assert!`
        1 unresolved method `fmt`
        2 unresolved method `get`
        1 unresolved method `is_some`
    "#]]
    .assert_eq(&report);
}
