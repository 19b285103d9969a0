//! The crates of macro libraries as a project of their own: a program for each library that calls its macros.

use super::{Macro, MacroServer, expansions::driver_name};
use crate::{
    config::Config,
    project::{
        LoadedProject, OwnFolders, ProgramKind, Project, Target, Tests,
        build_output::{self, PackageBuildOutput},
        build_output_in_graph,
        build_scripts::ManifestFacts,
        cargo, files, macro_signatures,
        macros::{self, Library},
        package_folders,
        platform::{HOST, Platform},
    },
    std_tree::{self, ROOT, StdCrates},
    workarounds::crate_graphs,
};
use ra_ap_base_db::{
    CrateBuilder, CrateBuilderId, CrateGraphBuilder, CrateName, CrateOrigin, CrateWorkspaceData, DependencyBuilder,
    Env, LangCrateOrigin,
};
use ra_ap_cfg::CfgOptions;
use ra_ap_hir_expand::proc_macro::ProcMacroKind;
use ra_ap_intern::Symbol;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_project_model::{Package, ProjectWorkspace, ProjectWorkspaceKind};
use ra_ap_span::Edition;
use ra_ap_vfs::FileId;
use rustc_hash::FxHashMap;
use std::{
    fmt::Write as _,
    path::Path,
    sync::{Arc, Weak},
};

/// The embedded root of `proc_macro`.
const PROC_MACRO: &str = "proc_macro/src/lib.rs";
/// The name by which a program knows the library.
const LIBRARY: &str = "library";

/// The libraries of macros of a Cargo workspace, not loaded yet.
pub(in crate::project) struct MacroCrates {
    workspace: ProjectWorkspace,
    facts: Arc<ManifestFacts>,
    /// Whether results of build scripts are kept in the user's cache.
    keeps_scripts: bool,
    libraries: Vec<MacroLibrary>,
}

struct MacroLibrary {
    package: Package,
    macros: Vec<Macro>,
}

impl MacroCrates {
    pub(in crate::project) fn new(
        mut workspace: ProjectWorkspace,
        facts: Arc<ManifestFacts>,
        keeps_scripts: bool,
    ) -> MacroCrates {
        // Macros run where the compiler runs. As in a release build, they have no debug assertions.
        workspace.rustc_cfg = std_tree::target_cfg();
        MacroCrates { workspace, facts, keeps_scripts, libraries: Vec::new() }
    }

    /// Adds a library; the result is its index.
    pub(in crate::project) fn add(&mut self, package: Package, macros: Vec<Macro>) -> usize {
        self.libraries.push(MacroLibrary { package, macros });
        self.libraries.len() - 1
    }

    /// The project, and the names of its programs by the indexes of the libraries. Libraries may use macros of others:
    /// those have programs too, and `server` is asked to expand them.
    pub(super) fn load(self, server: &Weak<MacroServer>) -> Option<(Project, Vec<String>)> {
        let ProjectWorkspaceKind::Cargo { cargo, .. } = &self.workspace.kind else { return None };
        let base = cargo.workspace_root().to_path_buf();
        let folders = cargo.packages().filter_map(|it| AsRef::<Path>::as_ref(&cargo[it].manifest).parent());
        let own = OwnFolders::new([AsRef::<Path>::as_ref(&base)]).with_packages(folders);
        let mut sources = files::Files::with_std().within(own);
        let (all, macro_crates) =
            self.workspace.to_crate_graph(&mut |path: &AbsPath| sources.read_root(path), &FxHashMap::default());
        let is_macros = |krate: &CrateBuilderId| macro_crates.contains_key(krate);
        let roots = build_output_in_graph::packages(cargo, &mut sources);
        let package_of = |krate: CrateBuilderId| roots.get(&all[krate].basic.root_file_id).copied();
        let crate_of = |package| all.iter().find(|id| is_macros(id) && package_of(*id) == Some(package));
        let mut called = Vec::new();
        for MacroLibrary { package, macros } in self.libraries {
            called.push(CalledLibrary { package, krate: crate_of(package)?, macros });
        }
        let first: Vec<CrateBuilderId> = called.iter().map(|it| it.krate).collect();
        // The code of libraries that are not interpreted is not needed.
        let needed = crate_graphs::reachable(&all, first.into_iter(), |krate| {
            if !is_macros(&krate) || called.iter().any(|it| it.krate == krate) {
                return true;
            }
            let library = package_of(krate).and_then(|package| Library::of(cargo, package, krate, None));
            let macros = library.map(|it| it.interpreted()).unwrap_or_default();
            let package = package_of(krate).filter(|_| !macros.is_empty());
            called.extend(package.map(|package| CalledLibrary { package, krate, macros }));
            package.is_some()
        });
        let mut packages: Vec<Package> = needed.iter().filter_map(|it| package_of(*it)).collect();
        packages.sort_by_key(|it| (&cargo[*it].name, &cargo[*it].version));
        packages.dedup();

        let platform = Platform { triple: HOST.to_owned(), cfg: std_tree::target_cfg(), is_named: false };
        let made = build_output::of_macros(cargo, &packages, &self.facts, &platform, self.keeps_scripts);
        let made_of = |krate| made.get(&package_of(krate)?);
        let data = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
        let mut signatures = FxHashMap::default();
        for krate in needed.iter().copied().filter(is_macros) {
            let Some(package) = package_of(krate) else { continue };
            // Packages from several sources may have the same name and version.
            let name = format!("{}_{}", cargo[package].name, signatures.len());
            let text = macro_signatures::of_package(cargo, package);
            signatures.extend(text.and_then(|text| Some((krate, sources.add_virtual("signatures", &name, text)?))));
        }
        let CopiedCrates { mut graph, ids, copies, added } =
            copied(&all, &needed, &called, &data, &signatures, made_of);
        let std = StdCrates::add(&mut graph, &data, &|path| sources.std_file(path));
        let root = sources.std_file(PROC_MACRO)?;
        let proc_macro = add_own(&mut graph, root, CrateOrigin::Lang(LangCrateOrigin::Dependency), &std, &data);
        for (old, new) in &added {
            std.inject(&mut graph, *new);
            let dependency = DependencyBuilder::with_prelude(named("proc_macro"), proc_macro, is_macros(old), true);
            graph.add_dep(*new, dependency).expect("nothing embedded depends on a user's crate");
        }
        sources.add_folders(&package_folders::of(&self.workspace, cargo, &packages), &base);
        for krate in &copies {
            sources.change(graph[*krate].basic.root_file_id, without_crate_type);
        }
        for package in &packages {
            if cargo[*package].edition == Edition::Edition2015 {
                sources.add_old(cargo[*package].manifest.parent());
            }
        }
        for (old, new) in &added {
            if let Some(made) = made_of(*old)
                && let Some(folder) = &made.out_dir
            {
                sources.add_made(folder, &made.written, graph[*new].basic.root_file_id);
            }
        }

        let mut targets = Vec::new();
        for (index, (library, krate)) in called.iter().zip(&copies).enumerate() {
            let name = driver_name(index);
            let root = sources.add_virtual("macros", &name, driver(&library.macros))?;
            add_driver(&mut graph, root, &name, &[(LIBRARY, *krate), ("proc_macro", proc_macro)], &std, &data);
            let (starts, tests) = (ProgramKind::Program, Tests::None);
            targets.push(Target { name, package: None, root, is_library: false, starts, tests });
        }
        let libraries: Vec<Library> = all
            .iter()
            .filter(|id| is_macros(id))
            .filter_map(|id| Library::of(cargo, package_of(id)?, *ids.get(&id)?, None))
            .collect();
        let macros =
            macros::load_nested(&libraries, server, &|package| called.iter().position(|it| it.package == package));
        let drivers = (0..called.len()).map(driver_name).collect();
        let loaded = LoadedProject { macros, targets, ..LoadedProject::new(sources, graph) };
        Some((Project::new(loaded, Config::default(), true), drivers))
    }
}

fn named(name: &str) -> CrateName {
    CrateName::normalize_dashes(name)
}

/// A library whose macros are called.
struct CalledLibrary {
    package: Package,
    /// Its crate in the whole graph.
    krate: CrateBuilderId,
    macros: Vec<Macro>,
}

/// Some crates of a graph, in a graph of their own.
struct CopiedCrates {
    graph: CrateGraphBuilder,
    /// Their ids, by those in the whole graph.
    ids: FxHashMap<CrateBuilderId, CrateBuilderId>,
    /// The called libraries a second time, as crates whose functions are called like any others.
    copies: Vec<CrateBuilderId>,
    /// All of them: the ids in the whole graph, and here.
    added: Vec<(CrateBuilderId, CrateBuilderId)>,
}

fn copied<'a>(
    all: &CrateGraphBuilder,
    needed: &[CrateBuilderId],
    called: &[CalledLibrary],
    data: &CrateWorkspaceData,
    signatures: &FxHashMap<CrateBuilderId, FileId>,
    made_of: impl Fn(CrateBuilderId) -> Option<&'a PackageBuildOutput>,
) -> CopiedCrates {
    let change = |id, krate: &mut CrateBuilder| {
        if let Some(made) = made_of(id) {
            made.add_to(krate);
        }
        // The user's crates give no inputs to macros.
        if let CrateOrigin::Local { repo, name } = krate.basic.origin.clone() {
            let name = name.unwrap_or_else(|| Symbol::intern(""));
            krate.basic.origin = CrateOrigin::Library { repo, name };
        }
    };
    // Those that use a library of macros see only its macros.
    let (mut graph, ids) = crate_graphs::part(all, needed, data, |id, krate| {
        if let Some(root) = signatures.get(&id) {
            krate.basic.root_file_id = *root;
            krate.basic.dependencies.clear();
        }
        change(id, krate);
    });
    let mut added: Vec<_> = ids.iter().map(|(old, new)| (*old, *new)).collect();
    added.sort();
    let mut copies = Vec::new();
    for library in called {
        let mut krate = all[library.krate].clone();
        krate.basic.is_proc_macro = false;
        change(library.krate, &mut krate);
        let copy = crate_graphs::add(&mut graph, krate, data);
        for dependency in &all[library.krate].basic.dependencies {
            let mut dependency = dependency.clone();
            dependency.crate_id = ids[&dependency.crate_id];
            graph.add_dep(copy, dependency).expect("the graph had no cycle");
        }
        copies.push(copy);
        added.push((library.krate, copy));
    }
    CopiedCrates { graph, ids, copies, added }
}

/// Adds the program that calls the macros of a library.
fn add_driver(
    graph: &mut CrateGraphBuilder,
    root: FileId,
    name: &str,
    dependencies: &[(&str, CrateBuilderId)],
    std: &StdCrates,
    workspace: &CrateWorkspaceData,
) {
    let origin = CrateOrigin::Local { repo: None, name: Some(Symbol::intern(name)) };
    let program = add_own(graph, root, origin, std, workspace);
    for (name, krate) in dependencies {
        let dependency = DependencyBuilder::new(named(name), *krate);
        graph.add_dep(program, dependency).expect("nothing depends on the program");
    }
}

/// Adds a crate of ours, which sees std.
fn add_own(
    graph: &mut CrateGraphBuilder,
    root: FileId,
    origin: CrateOrigin,
    std: &StdCrates,
    workspace: &CrateWorkspaceData,
) -> CrateBuilderId {
    let krate = graph.add_crate_root(
        root,
        Edition::CURRENT,
        None,
        None,
        CfgOptions::from_iter(std_tree::target_cfg()),
        None,
        Env::default(),
        origin,
        Vec::new(),
        false,
        AbsPathBuf::assert(ROOT.into()).into(),
        workspace.clone().into(),
    );
    std.inject(graph, krate);
    krate
}

/// The text of a crate's root without `#![crate_type = "proc-macro"]`: nothing but macros would be visible.
fn without_crate_type(text: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("#![") {
        true => line.replace("crate_type", "crate_kind"),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The program that calls the macros of a library.
fn driver(macros: &[Macro]) -> String {
    let mut arms = String::new();
    for Macro { name, function, kind } in macros {
        let args = if *kind == ProcMacroKind::Attr { "args, item" } else { "item" };
        writeln!(arms, "{name:?} => {LIBRARY}::r#{function}({args}),").expect("texts take everything");
    }
    format!(
        "fn main() {{
            let (name, item, args) = proc_macro::wire::input();
            proc_macro::wire::print(&match name.as_str() {{
                {arms}
                _ => unreachable!(),
            }});
        }}"
    )
}
