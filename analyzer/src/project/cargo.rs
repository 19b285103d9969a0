//! Loads a Cargo package or workspace: one offline `cargo metadata`; nothing is built or downloaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cargo_metadata::PackageId;
use cargo_metadata::semver::{BuildMetadata, Prerelease, Version};
use ra_ap_base_db::{CrateBuilderId, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, Env};
use ra_ap_paths::AbsPath;
use ra_ap_project_model::{
    CargoWorkspace, ManifestPath, Package, ProjectWorkspace, ProjectWorkspaceKind, Sysroot, TargetKind,
    WorkspaceBuildScripts,
};
use ra_ap_span::Edition;
use rustc_hash::FxHashMap;

use super::build_output::{self, BuildOutput};
use super::build_scripts::ManifestFacts;
use super::documents::shown_in;
use super::interpreted_macros::MacroCrates;
use super::missing_dependencies::{self, MissingDependency};
use super::platform::{HOST, Platform};
use super::test_files::TestFiles;
use super::tools::{Tools, cargo_home};
use super::{
    BuildPlace, Features, LoadError, LoadOptions, LoadedProject, OwnFolders, ProgramKind, Target, Tests, Trust,
    build_output_in_graph, doc_tests, files, macro_signatures, macros, optional_features, package_folders, programs,
    stubs, targets, test_entries, trusted_build,
};
use crate::report::WorkspaceInfo;
use crate::std_tree::{self, StdCrates};
use crate::workarounds::{cfg_rust_analyzer, crate_graphs};

/// The version of the embedded std.
pub(super) const TOOLCHAIN: Version =
    Version { major: 1, minor: 95, patch: 0, pre: Prerelease::EMPTY, build: BuildMetadata::EMPTY };

pub(super) fn load(path: &Path, looked_at: &[PathBuf], options: &LoadOptions) -> Result<LoadedProject, LoadError> {
    let mut tools = Tools::new(options)?;
    let platform = Platform::of_build(options.target.as_deref(), &mut tools)?;
    if options.trust == Trust::Trusted {
        trusted_build::announce(&tools, path, options, &platform)?;
        tools = tools.trusted();
    }
    let (metadata, left_out) = metadata(&tools, path, &options.features, &platform)?;
    // A trusted build is a new one, in the workspace's own folder.
    let built = if tools.is_trusted() { BuildPlace::default() } else { options.selection.built.clone() };
    let built_in = built.folder(metadata.build_directory.as_ref().unwrap_or(&metadata.target_directory).as_std_path());
    let manifest =
        ManifestPath::try_from(files::absolute(path)?).map_err(|_| LoadError::NoManifest(path.to_owned()))?;
    let untested = targets::untested(&metadata);
    let with_examples = targets::with_doc_tests(&metadata);
    let info = WorkspaceInfo::of(&metadata);
    let test_files = TestFiles::new(&info.root, metadata.target_directory.as_std_path());
    let is_root = manifest.parent() == metadata.workspace_root.as_path();
    let members = options.selection.packages.members(&metadata, is_root);
    let facts = ManifestFacts::of(&metadata);
    let mut env = Env::default();
    tools.configuration.variables().into_iter().for_each(|(name, value)| env.set(&name, value));
    let cargo = CargoWorkspace::new(metadata, manifest.clone(), env, false);
    let base = cargo.workspace_root().to_path_buf();
    let workspace = ProjectWorkspace {
        kind: ProjectWorkspaceKind::Cargo {
            cargo,
            error: None,
            build_scripts: WorkspaceBuildScripts::default(),
            rustc: Err(None),
        },
        // The embedded std is added to the graph below.
        sysroot: Sysroot::empty(),
        rustc_cfg: platform.cfg.clone(),
        toolchain: Some(TOOLCHAIN),
        target: Ok(std_tree::target()),
        cfg_overrides: cfg_rust_analyzer::removed(),
        extra_includes: Vec::new(),
        set_test: false,
    };

    let ProjectWorkspaceKind::Cargo { cargo, .. } = &workspace.kind else {
        return Err(LoadError::NoManifest(path.to_owned()));
    };
    let packages = cargo.packages().filter_map(|it| AsRef::<Path>::as_ref(&cargo[it].manifest).parent());
    let own = OwnFolders::new([AsRef::<Path>::as_ref(&base)]).with_packages(packages);
    let mut sources = files::Files::with_std().within(own);
    looked_at.iter().for_each(|path| sources.looks_at(path));
    let (graph, proc_macros) =
        workspace.to_crate_graph(&mut |path: &AbsPath| sources.read_root(path), &FxHashMap::default());
    let data = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(TOOLCHAIN) };
    let packages = build_output_in_graph::packages(cargo, &mut sources);
    let needed = build_output_in_graph::needed(&graph, &packages, cargo);
    let tools = tools.building_in(base.as_ref());
    let mut build_output = match options.trust.uses_builds_of(base.as_ref()) {
        Err(why) => build_output::none(cargo, &needed, &why, &platform),
        Ok(()) if options.trust == Trust::Trusted => {
            trusted_build::made(&tools, cargo, &needed, options, &platform, &built_in)?
        }
        Ok(()) => build_output::left(cargo, &needed, &built_in, built.profile(), &platform),
    };
    let package_of = |graph: &CrateGraphBuilder, krate| packages.get(&graph[krate].basic.root_file_id).copied();
    let reduced = macro_signatures::of_published(cargo, proc_macros.keys().copied(), |it| package_of(&graph, it));
    let is_reduced = |krate| reduced.contains_key(&krate);
    // Files of other packages may change, and are all looked at.
    let may_change =
        |krate: &CrateBuilderId| package_of(&graph, *krate).is_none_or(|it| !build_output::is_published(&cargo[it]));
    let wanted = crate_graphs::reachable(&graph, graph.iter().filter(may_change), |it| !is_reduced(it));
    let whole = wanted.iter().filter(|it| !is_reduced(**it)).filter_map(|it| package_of(&graph, *it));
    let whole: Vec<Package> =
        whole.chain(cargo.packages().filter(|it| !build_output::is_published(&cargo[*it]))).collect();
    let folders = package_folders::of(&workspace, cargo, &whole);
    std::thread::scope(|scope| {
        scope.spawn(|| build_output.interpret_scripts(cargo, &facts, &platform, options.keeps_scripts));
        sources.add_folders(&folders, &base);
    });
    let BuildOutput { made, mut unbuilt, asked_for, looked_at: made_from, .. } = build_output;
    // Scripts see all names in a folder.
    for path in &asked_for {
        if path.is_dir() { sources.looks_at_time(path) } else { sources.looks_at(path) }
    }
    let made_of = |krate| made.get(&package_of(&graph, krate)?);
    let (mut graph, ids) = build_output_in_graph::with_made(&graph, &wanted, &data, is_reduced, made_of);
    let user_crates: Vec<_> = graph.iter().collect();
    let libraries: Vec<_> = sorted(proc_macros.keys().filter_map(|it| ids.get(it).copied()))
        .into_iter()
        .filter_map(|krate| {
            let package = package_of(&graph, krate)?;
            let path = made.get(&package).and_then(|it| it.library.clone());
            macros::Library::of(cargo, package, krate, path)
        })
        .collect();
    let macro_crates = MacroCrates::new(workspace.clone(), Arc::new(facts), options.keeps_scripts);
    let macros = macros::load(&libraries, cargo.workspace_root(), &tools, &mut unbuilt, Some(macro_crates));
    let std = StdCrates::add(&mut graph, &data, &|path| sources.std_file(path));
    for krate in &user_crates {
        std.inject(&mut graph, *krate);
    }
    for (krate, signatures) in &reduced {
        if let Some(krate) = ids.get(krate) {
            sources.change(graph[*krate].basic.root_file_id, |_| signatures.clone());
        }
    }
    for package in cargo.packages() {
        if cargo[package].edition == Edition::Edition2015 && !cargo[package].is_member {
            sources.add_old(cargo[package].manifest.parent());
        }
        let root = user_crates.iter().find(|krate| package_of(&graph, **krate) == Some(package));
        if let Some(made) = made.get(&package)
            && let Some(folder) = &made.out_dir
            && let Some(root) = root
        {
            sources.add_made(folder, &made.written, graph[*root].basic.root_file_id);
        }
    }
    made_from.iter().for_each(|path| sources.looks_at_time(path));

    let (mut targets, mut switched_off, mut libraries_with_examples) = (Vec::new(), Vec::new(), Vec::new());
    let packages_of_user = selected(cargo, &manifest, members.as_deref());
    let optional_features = optional_features::of(cargo, &packages_of_user);
    for package in packages_of_user {
        let without_harness = targets::without_harness(cargo[package].manifest.as_ref());
        for &target in &cargo[package].targets {
            let target = &cargo[target];
            let file = sources.read_root(&target.root);
            let is_known = |file| {
                user_crates.iter().any(|krate| {
                    let krate = &graph[*krate].basic;
                    krate.root_file_id == file && matches!(krate.origin, CrateOrigin::Local { .. })
                })
            };
            if let Some(root) = file
                && is_known(root)
            {
                let parts = options.selection.parts_of(target.kind, &target.name);
                if !parts.itself && !parts.tests {
                    continue;
                }
                let is_program = parts.itself && target.kind.is_executable();
                let starts = if is_program { ProgramKind::Program } else { ProgramKind::Never };
                let lacks = targets::lacks(cargo, package, target);
                if !lacks.is_empty() {
                    switched_off.push((target.name.clone(), lacks));
                    continue;
                }
                let tests = match parts.tests {
                    true => targets::tests(target, &untested, &without_harness),
                    false => Tests::None,
                };
                let has_examples = with_examples.contains::<Path>(target.root.as_ref());
                libraries_with_examples.extend((parts.tests && has_examples).then_some(root));
                let package = Some(cargo[package].name.clone());
                let is_library = parts.itself && matches!(target.kind, TargetKind::Lib { is_proc_macro: false });
                let name = target.name.clone();
                targets.push(Target { name, package, root, is_library, starts, tests });
            }
        }
    }
    let programs = programs::of(cargo, &mut sources);
    let is_program = |krate: &CrateBuilderId| {
        let krate = &graph[*krate].basic;
        matches!(krate.origin, CrateOrigin::Local { .. }) && programs.iter().any(|it| it.1 == krate.root_file_id)
    };
    let mut starting: Vec<_> = user_crates.iter().copied().filter(is_program).collect();
    let mut documented = Vec::new();
    if options.tests {
        let is_selected = |krate: &ra_ap_base_db::CrateBuilderId| {
            let krate = &graph[*krate].basic;
            let is_local = matches!(krate.origin, CrateOrigin::Local { .. });
            is_local && targets.iter().any(|it| it.root == krate.root_file_id && it.tests != Tests::None)
        };
        let tested: Vec<_> = user_crates.iter().copied().filter(is_selected).collect();
        for krate in &user_crates {
            if libraries_with_examples.contains(&graph[*krate].basic.root_file_id) {
                let added = doc_tests::add(&mut graph, *krate, &data, &mut sources);
                starting.extend(added.iter().map(|(krate, _)| *krate));
                documented.extend(added.map(|(_, library)| library));
            }
        }
        for krate in tested {
            let variables = match package_of(&graph, krate) {
                Some(package) => programs::variables(cargo, package),
                None => Vec::new(),
            };
            starting.push(test_entries::add(&mut graph, krate, &variables, &data));
        }
    }
    let mut stubbed = Vec::new();
    for krate in &user_crates {
        let root = graph[*krate].basic.root_file_id;
        if targets.iter().any(|it| it.is_library && it.root == root) {
            let added = stubs::add(&mut graph, *krate, &std, &data, &mut sources);
            starting.extend(added.iter().map(|(krate, _)| *krate));
            stubbed.extend(added.map(|(_, library)| library));
        }
    }
    programs::add(&mut graph, &starting, &std, &|path| sources.std_file(path), &data);
    let members = cargo.packages().map(|it| &cargo[it]).filter(|it| it.is_member);
    let readmes = members.filter_map(|it| Some((&it.manifest, it.manifest.parent().join(it.readme.as_ref()?))));
    let readmes = readmes.filter_map(|(manifest, path)| sources.read_beside(manifest.as_ref(), path.as_ref()));
    let shown_documents = readmes.flat_map(|it| shown_in(&it)).collect();
    for package in cargo.packages() {
        sources.looks_at(cargo[package].manifest.as_ref());
    }
    let root: &Path = cargo.workspace_root().as_ref();
    sources.looks_at(&root.join("Cargo.toml"));
    sources.looks_at(&root.join("Cargo.lock"));
    tools.configuration.looked_at.iter().for_each(|path| sources.looks_at(path));
    for name in ["config", "config.toml"] {
        let home = cargo_home().map(|home| home.join(name));
        home.iter().for_each(|path| sources.looks_at(path));
    }
    let unused = if options.trust == Trust::Trusted { Vec::new() } else { tools.configuration.unused };
    unbuilt.sort();
    let platforms = Vec::from_iter((platform.triple != HOST).then_some(platform.triple));
    let workspace = Some(info);
    Ok(LoadedProject {
        files: sources,
        graph,
        macros,
        targets,
        programs,
        workspace,
        left_out,
        unbuilt,
        unused,
        platforms,
        switched_off,
        shown_documents,
        test_files,
        documented,
        stubbed,
        optional_features,
    })
}

fn sorted(ids: impl Iterator<Item = CrateBuilderId>) -> Vec<CrateBuilderId> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort();
    ids
}

/// The chosen members; by default the package whose manifest was given, or all members of a virtual workspace.
fn selected(cargo: &CargoWorkspace, manifest: &ManifestPath, chosen: Option<&[PackageId]>) -> Vec<Package> {
    let members: Vec<_> = cargo.packages().filter(|package| cargo[*package].is_member).collect();
    if let Some(chosen) = chosen {
        return members.into_iter().filter(|it| chosen.contains(&cargo[*it].id)).collect();
    }
    let given: Vec<_> = members.iter().copied().filter(|package| cargo[*package].manifest == *manifest).collect();
    if given.is_empty() { members } else { given }
}

/// The root folder of a manifest's workspace.
pub(super) fn workspace_root(manifest: &Path, options: &LoadOptions) -> Result<PathBuf, LoadError> {
    let answer = Tools::new(options)?.metadata(manifest, HOST, &["--no-deps".to_owned()])?;
    let metadata = answer.map_err(|message| LoadError::BrokenManifest(manifest.to_owned(), message))?;
    Ok(metadata.workspace_root.into_std_path_buf())
}

/// The packages, and the dependencies that are missing. Always offline.
fn metadata(
    tools: &Tools,
    manifest: &Path,
    features: &Features,
    platform: &Platform,
) -> Result<(cargo_metadata::Metadata, Vec<MissingDependency>), LoadError> {
    let message = match tools.metadata(manifest, &platform.triple, &features.options())? {
        Ok(metadata) => return Ok((metadata, Vec::new())),
        Err(message) => message,
    };
    match missing_dependencies::metadata(tools, manifest, features, platform) {
        // What is missing may be for another platform, or for features that are off.
        Ok((metadata, left_out))
            if !left_out.is_empty() || message.contains("no matching package") || message.contains("--locked") =>
        {
            Ok((metadata, left_out))
        }
        // Nothing is missing: cargo fails for another reason.
        _ => Err(LoadError::BrokenManifest(manifest.to_owned(), message)),
    }
}
