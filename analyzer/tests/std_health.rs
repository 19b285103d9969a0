//! How well rust-analyzer understands the embedded std: expressions without a type, types without a layout.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use analyzer::project::{self, Input, LoadOptions, Project};
use hir::{AssocItem, Crate, DefWithBody, Module, ModuleDef};
use hir_def::DefWithBodyId;
use hir_def::expr_store::Body;
use hir_ty::InferenceResult;
use hir_ty::next_solver::TyKind;
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

fn bodies(project: &Project, krate: Crate) -> Vec<DefWithBody> {
    let db = project.db();
    let mut bodies = Vec::new();
    let mut modules: Vec<Module> = vec![krate.root_module(db)];
    while let Some(module) = modules.pop() {
        modules.extend(module.children(db));
        let mut add = |item: AssocItem| match item {
            AssocItem::Function(function) => bodies.push(function.into()),
            AssocItem::Const(konst) => bodies.push(konst.into()),
            AssocItem::TypeAlias(_) => {}
        };
        for item in module.impl_defs(db) {
            item.items(db).into_iter().for_each(&mut add);
        }
        for item in module.declarations(db) {
            match item {
                ModuleDef::Trait(it) => it.items(db).into_iter().for_each(&mut add),
                ModuleDef::Function(function) => add(AssocItem::Function(function)),
                ModuleDef::Const(konst) => add(AssocItem::Const(konst)),
                _ => {}
            }
        }
    }
    bodies
}

#[test]
fn error_typed() {
    let start = Instant::now();
    let dir = std::env::temp_dir().join("tsvd_std_health.rs");
    std::fs::write(&dir, "fn main() { println!(\"x\"); let m = std::collections::HashMap::<u8, u8>::new(); m.get(&1); }").unwrap();
    let project = project::load(&Input::from_path(&dir), &LoadOptions::default()).unwrap();
    println!("loaded {:?}", start.elapsed());
    project.with_db(|project| {
        let db = project.db();
        let main = project.binaries()[0].main;
        println!("def maps {:?}", start.elapsed());
        InferenceResult::of(db, DefWithBodyId::FunctionId(main));
        println!("main inferred {:?}", start.elapsed());
    });
    if std::env::var_os("QUICK").is_some() { return; }
    let report = project.with_db(|project| {
        let db = project.db();
        let mut report = String::new();
        let mut all = BTreeMap::new();
        for krate in project.crates() {
            let (mut total, mut errors, mut bad) = (0usize, 0usize, Vec::new());
            for body in bodies(project, krate) {
                let Ok(id) = DefWithBodyId::try_from(body) else { continue };
                let (source, inference) = (Body::of(db, id), InferenceResult::of(db, id));
                let mut here = 0;
                let mut stack = vec![source.root_expr()];
                while let Some(expr) = stack.pop() {
                    total += 1;
                    source.walk_child_exprs(expr, |child| stack.push(child));
                    if matches!(source[expr], hir_def::hir::Expr::Missing) { continue; }
                    if matches!(inference.expr_ty(expr).kind(), TyKind::Error(_)) { here += 1; }
                }
                errors += here;
                if here > 0 { let n = match id { DefWithBodyId::FunctionId(f) => project::canonical_path(db, f), _ => "const".into() }; bad.push((here, n)); }
            }
            let name = krate.display_name(db).map(|n| n.to_string()).unwrap_or_default();
            writeln!(report, "{name}: {errors} of {total}").unwrap();
            bad.sort(); bad.reverse();
            all.insert(name, bad);
        }
        for (name, bad) in all { for (n, b) in bad.iter().take(60) { writeln!(report, "   {name} {n} {b}").unwrap(); } }
        report
    });
    println!("{report} {:?}", start.elapsed());
}
