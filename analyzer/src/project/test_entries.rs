//! The tests of the user's crates: functions with `#[test]`, in the crates as `cargo test` builds them.
//!
//! A crate under test is a second crate over the same files with `cfg(test)`. Its dependencies are built without,
//! including the library that an integration test is for.

use super::{EntryKind, EntryPoint, Project, Tests, should_panic::ShouldPanic};
use crate::{guard, harness::Start, workarounds::crate_graphs};
use hir::{HasSource, ModuleDef};
use ra_ap_base_db::{CrateBuilderId, CrateGraphBuilder, CrateWorkspaceData};
use ra_ap_cfg::CfgAtom;
use ra_ap_hir as hir;
use ra_ap_hir_def::FunctionId;
use ra_ap_intern::Symbol;
use ra_ap_syntax::{AstNode as _, ast::HasAttrs as _};

/// A test of the project.
#[derive(Debug, Clone)]
pub struct Test {
    /// Its function as an entry, named `target::module::test`.
    pub entry: EntryPoint,
    /// Whether `cargo test` skips it.
    pub is_ignored: bool,
    /// Whether it passes when it panics.
    pub should_panic: ShouldPanic,
    /// The test attribute of an asynchronous function that was not expanded, so that this is not a test yet.
    pub unexpanded: Option<String>,
}

/// Adds the crate that `cargo test` builds from a crate. `variables` are those that cargo sets for it beside.
pub(super) fn add(
    graph: &mut CrateGraphBuilder,
    krate: CrateBuilderId,
    variables: &[(String, String)],
    workspace: &CrateWorkspaceData,
) -> CrateBuilderId {
    let tested = graph[krate].clone();
    let attributes = crate_graphs::attributes(&tested);
    let mut cfg = tested.cfg_options;
    cfg.insert_atom(Symbol::intern("test"));
    let mut env = tested.env;
    variables.iter().for_each(|(name, value)| env.set(name, value.clone()));
    let twin = graph.add_crate_root(
        tested.basic.root_file_id,
        tested.basic.edition,
        tested.extra.display_name,
        tested.extra.version,
        cfg,
        tested.extra.potential_cfg_options,
        env,
        tested.basic.origin,
        attributes,
        tested.basic.is_proc_macro,
        tested.basic.proc_macro_cwd,
        workspace.clone().into(),
    );
    for dependency in tested.basic.dependencies {
        graph.add_dep(twin, dependency).expect("nothing depends on a crate under test");
    }
    twin
}

impl Project {
    /// Whether `cargo test` added the crate.
    pub(super) fn is_under_test(&self, krate: hir::Crate) -> bool {
        krate.cfg(&self.db).check_atom(&CfgAtom::Flag(Symbol::intern("test")))
    }

    /// The tests of the selected packages, in the order of targets and source.
    pub fn tests(&self) -> Vec<Test> {
        let crates = self.crates().into_iter().filter(|it| self.is_local(*it));
        let under_test: Vec<_> = crates.filter(|it| self.is_under_test(*it)).collect();
        let mut tests = Vec::new();
        let documentation = self.doc_tests();
        for target in self.shared.targets.iter().filter(|it| it.tests != Tests::None) {
            let Some(&krate) = under_test.iter().find(|krate| krate.root_file(&self.db) == target.root) else {
                continue;
            };
            if target.tests == Tests::Main {
                let main = self.main_of(krate).map(hir::Function::from);
                tests.extend(main.and_then(|main| self.test(&target.name, target.package.clone(), main)));
                continue;
            }
            for module in krate.modules(&self.db) {
                for def in module.declarations(&self.db) {
                    let test = guard::caught(&self.db, || match def {
                        ModuleDef::Function(function) if function.is_test(&self.db) => {
                            self.test(&target.name, target.package.clone(), function)
                        }
                        _ => None,
                    });
                    tests.extend(test.flatten());
                }
            }
        }
        tests.extend(documentation);
        tests
    }

    /// Whether an entry is a test that passes if it panics.
    pub(crate) fn should_panic(&self, point: &EntryPoint) -> bool {
        let function = point.function().filter(|_| point.kind == EntryKind::Test);
        let source = function.and_then(|it| hir::Function::from(it).source(&self.db));
        source.is_some_and(|it| ShouldPanic::of(&it.value, point.krate.cfg(&self.db)) != ShouldPanic::No)
    }

    fn test(&self, target: &str, package: Option<String>, function: hir::Function) -> Option<Test> {
        let main: FunctionId = function.try_into().ok()?;
        let modules = function.module(&self.db).path_to_root(&self.db).into_iter().rev();
        let modules = modules.filter_map(|module| Some(module.name(&self.db)?.as_str().to_owned()));
        let own = function.name(&self.db).as_str().to_owned();
        let path: Vec<_> = std::iter::once(target.to_owned()).chain(modules).chain([own]).collect();
        let source = function.source(&self.db)?;
        let krate = function.module(&self.db).krate(&self.db);
        let should_panic = ShouldPanic::of(&source.value, krate.cfg(&self.db));
        let paths = source.value.attrs().filter_map(|it| Some(it.path()?.syntax().text().to_string()));
        let unexpanded =
            function.is_async(&self.db).then(|| paths.filter(|it| it.contains("test")).last().unwrap_or_default());
        Some(Test {
            entry: EntryPoint {
                name: path.join("::"),
                krate,
                start: Start::Function(main),
                package,
                kind: EntryKind::Test,
                starts: Vec::new(),
            },
            is_ignored: function.is_ignore(&self.db),
            should_panic,
            unexpanded,
        })
    }
}
