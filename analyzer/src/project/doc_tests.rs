//! Documentation tests: the examples in the documentation of libraries, which `cargo test` runs too.
//!
//! The examples of a library are the modules of one crate, whose only file is made here. What is found in it is located
//! in the comment that it comes from.

use super::{
    EntryKind, EntryPoint, Project, Test,
    doc_examples::{self, DocExample, MappedText, Usage},
    files::Files,
    should_panic::ShouldPanic,
};
use crate::{guard, harness::Start, workarounds::crate_graphs};
use hir::Crate;
use hir_def::{
    ModuleDefId, ModuleId,
    nameres::{DefMap, crate_def_map, diagnostics::DefDiagnosticKind},
};
use ra_ap_base_db::{CrateBuilderId, CrateGraphBuilder, CrateWorkspaceData, DependencyBuilder, SourceDatabase as _};
use ra_ap_hir as hir;
use ra_ap_hir_def as hir_def;
use ra_ap_span::{Edition, TextRange, TextSize};
use ra_ap_vfs::FileId;
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, sync::Arc};

/// Maximum number of examples of a library.
const MAX_EXAMPLES: usize = 2_000;

/// A library with documentation tests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Documented {
    /// The root of the library.
    pub(super) root: FileId,
    /// The file of the crate with its examples.
    pub(super) examples: FileId,
}

/// The examples of the libraries, by the files of their crates.
pub(super) type DocTests = BTreeMap<FileId, Arc<LibraryExamples>>;

/// The examples of a library.
#[derive(Debug, Default)]
pub(super) struct LibraryExamples {
    edition: Option<Edition>,
    /// The examples in each file of the library.
    by_file: Vec<(FileId, Arc<[DocExample]>)>,
    /// The parts of the text, in order: where each ends, the file that it comes from, and its pieces.
    parts: Vec<(TextSize, FileId, MappedText)>,
    /// The names of the modules.
    names: Vec<String>,
}

/// Adds the crate with the examples of a library, which are found later.
pub(super) fn add(
    graph: &mut CrateGraphBuilder,
    library: CrateBuilderId,
    workspace: &CrateWorkspaceData,
    files: &mut Files,
) -> Option<(CrateBuilderId, Documented)> {
    let documented = graph[library].clone();
    let name = documented.extra.display_name.as_ref()?.crate_name().clone();
    let examples = files.add_virtual("examples", name.symbol().as_str(), String::new())?;
    let attributes = crate_graphs::attributes(&documented);
    let edition = documented.basic.edition.max(Edition::Edition2018);
    let krate = graph.add_crate_root(
        examples,
        edition,
        documented.extra.display_name,
        documented.extra.version,
        documented.cfg_options,
        documented.extra.potential_cfg_options,
        documented.env,
        documented.basic.origin,
        attributes,
        false,
        documented.basic.proc_macro_cwd,
        workspace.clone().into(),
    );
    for dependency in documented.basic.dependencies.into_iter().filter(|it| it.name != name) {
        graph.add_dep(krate, dependency).expect("nothing depends on examples");
    }
    graph.add_dep(krate, DependencyBuilder::new(name, library)).expect("nothing depends on examples");
    Some((krate, Documented { root: documented.basic.root_file_id, examples }))
}

impl LibraryExamples {
    /// The text of the crate; notes where its parts come from.
    fn write(&mut self) -> String {
        let mut text = String::new();
        let edition = self.edition.unwrap_or(Edition::CURRENT);
        (self.parts, self.names) = (Vec::new(), Vec::new());
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        for (file, example) in examples_of(&self.by_file) {
            let item = example.item.replace("::", "_").replace("r#", "");
            let stem = if item.is_empty() { "example".to_owned() } else { format!("example_of_{item}") };
            let number = numbers.entry(stem.clone()).or_default();
            *number += 1;
            let name = format!("{stem}_{number}");
            let module = example.module(&name, edition);
            text.push_str(&module.text);
            self.names.push(name);
            self.parts.push((TextSize::of(&text), file, module));
        }
        text
    }

    /// The place that an offset comes from.
    fn source_of(&self, offset: TextSize) -> Option<(FileId, TextSize)> {
        let index = self.parts.partition_point(|(end, ..)| *end <= offset);
        let (end, file, module) = self.parts.get(index).or(self.parts.last())?;
        let start = *end - TextSize::of(&module.text);
        Some((*file, module.source_of(offset.checked_sub(start)?)?))
    }
}

fn examples_of(by_file: &[(FileId, Arc<[DocExample]>)]) -> impl Iterator<Item = (FileId, &DocExample)> {
    by_file.iter().flat_map(|(file, examples)| examples.iter().map(|it| (*file, it))).take(MAX_EXAMPLES)
}

impl Project {
    /// Finds the examples in the documentation of libraries. The names of all crates are resolved before.
    pub(super) fn add_doc_tests(&mut self) {
        let libraries: Vec<(Documented, Vec<FileId>, Edition)> = self.with_db(|project| {
            let crates = project.local_crates();
            let of = |it: &Documented| {
                let krate = *crates.iter().find(|krate| krate.root_file(&project.db) == it.root)?;
                let map = guard::caught(&project.db, || crate_def_map(&project.db, krate.into()))?;
                let files = map.modules().filter_map(|(_, module)| module.definition_source_file_id().file_id());
                let mut files: Vec<FileId> = files.map(|file| file.file_id(&project.db)).collect();
                files.sort();
                files.dedup();
                Some((*it, files, krate.edition(&project.db)))
            };
            project.shared.documented.iter().filter_map(of).collect()
        });
        for (library, files, edition) in libraries {
            let by_file = files.into_iter().map(|file| (file, doc_examples::examples(&self.file_text(file), edition)));
            let by_file = by_file.map(|(file, examples)| (file, examples.into())).collect();
            let edition = Some(edition);
            self.set_examples(library.examples, LibraryExamples { edition, by_file, ..LibraryExamples::default() });
        }
    }

    /// Finds the examples in a file again, whose text was changed.
    pub(super) fn update_doc_tests(&mut self, file: FileId, text: &str) {
        let of_it = self.doc_tests.iter().filter(|(_, it)| it.by_file.iter().any(|(of, _)| *of == file));
        let libraries: Vec<(FileId, Arc<LibraryExamples>)> = of_it.map(|(key, it)| (*key, it.clone())).collect();
        for (key, library) in libraries {
            let found: Arc<[DocExample]> =
                doc_examples::examples(text, library.edition.unwrap_or(Edition::CURRENT)).into();
            let mut by_file = library.by_file.clone();
            by_file.iter_mut().filter(|(of, _)| *of == file).for_each(|it| it.1 = found.clone());
            self.set_examples(key, LibraryExamples { edition: library.edition, by_file, ..LibraryExamples::default() });
        }
    }

    fn set_examples(&mut self, key: FileId, mut library: LibraryExamples) {
        let text = library.write();
        if self.file_text(key) != text {
            self.db.set_file_text(key, &text);
        }
        Arc::make_mut(&mut self.doc_tests).insert(key, Arc::new(library));
    }

    /// The files that are made of other files: examples and stubs.
    pub(crate) fn made_files(&self) -> Vec<FileId> {
        self.doc_tests.keys().copied().chain(self.stub_files()).collect()
    }

    /// The place in a comment that a place in an example comes from.
    pub(crate) fn source_of_example(&self, file: FileId, range: TextRange) -> Option<(FileId, TextRange)> {
        let library = self.doc_tests.get(&file)?;
        let (file, start) = library.source_of(range.start())?;
        let last = range.end().checked_sub(TextSize::new(1)).filter(|last| *last >= range.start());
        let end = last.and_then(|last| library.source_of(last)).filter(|(of, _)| *of == file);
        let end = end.map_or(start, |(_, last)| last + TextSize::new(1));
        Some((file, TextRange::new(start, end.max(start))))
    }

    /// Whether a crate has the examples of a library, or is built for tests.
    pub(crate) fn is_example(&self, krate: Crate) -> bool {
        let root = krate.root_file(&self.db);
        self.is_under_test(krate) || self.shared.documented.iter().any(|it| it.examples == root)
    }

    /// Whether a crate is a library that is built for its own tests: it has types of its own, which nobody else uses.
    pub(crate) fn is_library_under_test(&self, krate: Crate) -> bool {
        let root = krate.root_file(&self.db);
        let is_library = self.shared.targets.iter().any(|target| target.is_library && target.root == root);
        is_library && self.is_under_test(krate)
    }

    /// The documentation tests of the selected packages that `cargo test` runs. One that cannot be resolved, perhaps
    /// because a feature is off, is left out.
    pub(super) fn doc_tests(&self) -> Vec<Test> {
        let crates = self.local_crates();
        let mut tests = Vec::new();
        for target in &self.shared.targets {
            let of_target = |it: &&Documented| it.root == target.root;
            let Some(documented) = self.shared.documented.iter().find(of_target) else { continue };
            let Some(library) = self.doc_tests.get(&documented.examples) else { continue };
            let krate_of = |root: FileId| crates.iter().copied().find(|krate| krate.root_file(&self.db) == root);
            let (Some(krate), Some(of)) = (krate_of(documented.examples), krate_of(documented.root)) else { continue };
            let Some(map) = guard::caught(&self.db, || crate_def_map(&self.db, krate.into())) else { continue };
            for ((file, example), name) in examples_of(&library.by_file).zip(&library.names) {
                let test = guard::caught(&self.db, || {
                    let module = self.path_of_file(of, file);
                    let main = self.main_of_example(map, name).filter(|_| example.usage != Usage::Compiles)?;
                    let path = [target.name.as_str(), &module, &example.item].into_iter().filter(|it| !it.is_empty());
                    let path = path.collect::<Vec<_>>().join("::");
                    let name = match example.number {
                        1 => format!("{path} (example)"),
                        number => format!("{path} (example {number})"),
                    };
                    Some(Test {
                        entry: EntryPoint {
                            name,
                            krate,
                            start: Start::Function(main),
                            package: target.package.clone(),
                            kind: EntryKind::Test,
                            starts: Vec::new(),
                        },
                        is_ignored: false,
                        should_panic: match example.usage {
                            Usage::Panics => ShouldPanic::Yes,
                            _ => ShouldPanic::No,
                        },
                        unexpanded: None,
                    })
                });
                tests.extend(test.flatten());
            }
        }
        tests
    }

    /// The `main` of an example, if its imports can be resolved.
    fn main_of_example(&self, map: &DefMap, name: &str) -> Option<hir_def::FunctionId> {
        let child = |module: ModuleId, name: &str| {
            let name = hir::Name::new_symbol_root(ra_ap_intern::Symbol::intern(name));
            map[module].scope.get(&name)
        };
        let ModuleDefId::ModuleId(module) = child(map.root_module_id(), name).take_types()? else { return None };
        let is_unresolved = map.diagnostics().iter().any(|it| {
            let is_import = matches!(
                it.kind,
                DefDiagnosticKind::UnresolvedImport { .. } | DefDiagnosticKind::UnresolvedExternCrate { .. }
            );
            is_import && it.in_module == module
        });
        let ModuleDefId::FunctionId(main) = child(module, "main").take_values()? else { return None };
        let function = hir::Function::from(main);
        let is_plain = function.num_params(&self.db) == 0 && !function.is_async(&self.db);
        (!is_unresolved && is_plain).then_some(main)
    }

    /// The path of the module of a library whose source is a file.
    fn path_of_file(&self, krate: Crate, file: FileId) -> String {
        let map = crate_def_map(&self.db, krate.into());
        let Some(module) = map.modules_for_file(&self.db, file).next() else { return String::new() };
        let modules = hir::Module::from(module).path_to_root(&self.db).into_iter().rev();
        let names = modules.filter_map(|module| Some(module.name(&self.db)?.as_str().to_owned()));
        names.collect::<Vec<_>>().join("::")
    }
}
