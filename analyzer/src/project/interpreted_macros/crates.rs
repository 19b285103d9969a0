//! The crates of macro libraries as a project of their own: a program for each library that calls its macros.

use super::{Macro, expansions::driver_name};
use crate::{
    config::Config,
    project::{
        LoadedProject, OwnFolders, ProgramKind, Project, Target, Tests,
        build_output::{self, PackageBuildOutput},
        build_output_in_graph,
        build_scripts::ManifestFacts,
        cargo, files,
        macros::{self, Library},
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
use ra_ap_load_cargo::ProjectFolders;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_project_model::{CargoWorkspace, Package, ProjectWorkspace, ProjectWorkspaceKind};
use ra_ap_span::Edition;
use ra_ap_vfs::{FileId, loader};
use rustc_hash::FxHashMap;
use std::{fmt::Write as _, path::Path, sync::Arc};

/// The embedded root of `proc_macro`.
const PROC_MACRO: &str = "proc_macro/src/lib.rs";
/// The name by which a program knows the library.
const LIBRARY: &str = "library";
/// How deep macros may be used by libraries of macros.
const MAX_DEPTH: usize = 2;

/// The libraries of macros of a Cargo workspace, not loaded yet.
pub(in crate::project) struct MacroCrates {
    workspace: ProjectWorkspace,
    facts: Arc<ManifestFacts>,
    /// Whether results of build scripts are kept in the user's cache.
    keeps_scripts: bool,
    /// How deep the crates are among those of other macros.
    depth: usize,
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
        MacroCrates { workspace, facts, keeps_scripts, depth: 0, libraries: Vec::new() }
    }

    /// Adds a library; the result is its index.
    pub(in crate::project) fn add(&mut self, package: Package, macros: Vec<Macro>) -> usize {
        self.libraries.push(MacroLibrary { package, macros });
        self.libraries.len() - 1
    }

    pub(in crate::project) fn is_empty(&self) -> bool {
        self.libraries.is_empty()
    }

    /// The project, and the names of its programs by the indexes of the libraries.
    pub(super) fn load(self) -> Option<(Project, Vec<String>)> {
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
        let crate_of = |it: &MacroLibrary| all.iter().find(|id| is_macros(id) && package_of(*id) == Some(it.package));
        let wanted: Vec<Option<CrateBuilderId>> = self.libraries.iter().map(crate_of).collect();
        let needed = needed(&all, wanted.iter().flatten().copied(), is_macros);
        let mut packages: Vec<Package> = needed.iter().filter_map(|it| package_of(*it)).collect();
        packages.sort_by_key(|it| (&cargo[*it].name, &cargo[*it].version));
        packages.dedup();

        let platform = Platform { triple: HOST.to_owned(), cfg: std_tree::target_cfg(), is_named: false };
        let made = build_output::of_macros(cargo, &packages, &self.facts, &platform, self.keeps_scripts);
        let made_of = |krate| made.get(&package_of(krate)?);
        let data = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
        let CopiedCrates { mut graph, ids, called, added } = copied(&all, &needed, &wanted, &data, made_of);
        let std = StdCrates::add(&mut graph, &data, &|path| sources.std_file(path));
        let root = sources.std_file(PROC_MACRO)?;
        let proc_macro = add_own(&mut graph, root, CrateOrigin::Lang(LangCrateOrigin::Dependency), &std, &data);
        for (old, new) in &added {
            std.inject(&mut graph, *new);
            let dependency = DependencyBuilder::with_prelude(named("proc_macro"), proc_macro, is_macros(old), true);
            graph.add_dep(*new, dependency).expect("nothing embedded depends on a user's crate");
        }
        sources.add_folders(&folders_of(&self.workspace, &packages, cargo), &base);
        for krate in called.iter().flatten() {
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
        for (index, (library, krate)) in self.libraries.iter().zip(&called).enumerate() {
            let Some(krate) = krate else { continue };
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
        let own = (self.depth < MAX_DEPTH).then(|| MacroCrates {
            workspace: self.workspace.clone(),
            facts: self.facts.clone(),
            keeps_scripts: self.keeps_scripts,
            depth: self.depth + 1,
            libraries: Vec::new(),
        });
        let macros = macros::load_unbuilt(&libraries, own);
        let drivers = (0..self.libraries.len()).map(driver_name).collect();
        let loaded = LoadedProject { macros, targets, ..LoadedProject::new(sources, graph) };
        Some((Project::new(loaded, Config::default(), true), drivers))
    }
}

fn named(name: &str) -> CrateName {
    CrateName::normalize_dashes(name)
}

/// These crates, and those that they depend on. Libraries of macros do not need their own dependencies, unless they are
/// among the first.
fn needed(
    graph: &CrateGraphBuilder,
    first: impl Iterator<Item = CrateBuilderId>,
    is_macros: impl Fn(&CrateBuilderId) -> bool,
) -> Vec<CrateBuilderId> {
    let mut all: Vec<CrateBuilderId> = first.collect();
    let (count, mut next) = (all.len(), 0);
    while let Some(&krate) = all.get(next) {
        if next < count || !is_macros(&krate) {
            let needs = graph[krate].basic.dependencies.iter().map(|it| it.crate_id);
            let new: Vec<_> = needs.filter(|it| !all.contains(it)).collect();
            all.extend(new);
        }
        next += 1;
    }
    all
}

/// Some crates of a graph, in a graph of their own.
struct CopiedCrates {
    graph: CrateGraphBuilder,
    /// Their ids, by those in the whole graph.
    ids: FxHashMap<CrateBuilderId, CrateBuilderId>,
    /// Libraries of macros a second time, as crates whose functions are called like any others.
    called: Vec<Option<CrateBuilderId>>,
    /// All of them: the ids in the whole graph, and here.
    added: Vec<(CrateBuilderId, CrateBuilderId)>,
}

fn copied<'a>(
    all: &CrateGraphBuilder,
    needed: &[CrateBuilderId],
    wanted: &[Option<CrateBuilderId>],
    data: &CrateWorkspaceData,
    made_of: impl Fn(CrateBuilderId) -> Option<&'a PackageBuildOutput>,
) -> CopiedCrates {
    let mut graph = CrateGraphBuilder::default();
    let mut ids = FxHashMap::default();
    let mut added = Vec::new();
    for id in all.iter().filter(|it| needed.contains(it)) {
        let new = add_crate(&mut graph, all[id].clone(), made_of(id), data);
        ids.insert(id, new);
        added.push((id, new));
    }
    let mut called = Vec::new();
    for id in wanted {
        called.push(id.map(|id| {
            let mut krate = all[id].clone();
            krate.basic.is_proc_macro = false;
            let new = add_crate(&mut graph, krate, made_of(id), data);
            added.push((id, new));
            new
        }));
    }
    for (old, new) in &added {
        for dependency in &all[*old].basic.dependencies {
            if let Some(to) = ids.get(&dependency.crate_id) {
                let mut dependency = dependency.clone();
                dependency.crate_id = *to;
                graph.add_dep(*new, dependency).expect("the graph had no cycle");
            }
        }
    }
    CopiedCrates { graph, ids, called, added }
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

/// Adds a crate of a package, with its build output, and without its dependencies.
fn add_crate(
    graph: &mut CrateGraphBuilder,
    mut krate: CrateBuilder,
    made: Option<&PackageBuildOutput>,
    workspace: &CrateWorkspaceData,
) -> CrateBuilderId {
    if let Some(made) = made {
        krate.cfg_options.extend(made.cfgs.iter().cloned());
        made.variables.iter().for_each(|(name, value)| krate.env.set(name, value.clone()));
    }
    crate_graphs::add(graph, krate, workspace)
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

/// The folders of some packages.
fn folders_of(workspace: &ProjectWorkspace, packages: &[Package], cargo: &CargoWorkspace) -> ProjectFolders {
    let mut folders = ProjectFolders::new(std::slice::from_ref(workspace), &[], None);
    let wanted: Vec<&AbsPath> = packages.iter().map(|it| cargo[*it].manifest.parent()).collect();
    folders.load.retain(|entry| match entry {
        loader::Entry::Files(files) => files.iter().any(|file| wanted.iter().any(|it| file.starts_with(it))),
        loader::Entry::Directories(dirs) => {
            dirs.include.iter().any(|folder| wanted.iter().any(|it| folder.starts_with(it)))
        }
    });
    folders
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
