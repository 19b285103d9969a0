//! Loading a Cargo package or workspace: one offline `cargo metadata`; nothing is built, nothing is downloaded.

use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::semver::{BuildMetadata, Prerelease, Version};
use ra_ap_base_db::{CrateOrigin, CrateWorkspaceData, Env};
use ra_ap_load_cargo::ProjectFolders;
use ra_ap_paths::AbsPath;
use ra_ap_project_model::{
    CargoWorkspace, CfgOverrides, ManifestPath, ProjectWorkspace, ProjectWorkspaceKind, Sysroot, WorkspaceBuildScripts,
};
use rustc_hash::FxHashMap;

use super::partial::{self, LeftOut};
use super::{Features, LoadError, LoadOptions, Loaded, Target, files, test_entries};
use crate::std_tree::{self, StdCrates};

/// The platform that programs are seen for.
pub(super) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The version of the embedded std.
pub(super) const TOOLCHAIN: Version =
    Version { major: 1, minor: 95, patch: 0, pre: Prerelease::EMPTY, build: BuildMetadata::EMPTY };

pub(super) fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let manifest = manifest(path)?;
    let (metadata, left_out) = metadata(&manifest, &options.features)?;
    let manifest =
        ManifestPath::try_from(files::absolute(&manifest)?).map_err(|_| LoadError::NoManifest(path.to_owned()))?;
    let cargo = CargoWorkspace::new(metadata, manifest.clone(), Env::default(), false);
    let base = cargo.workspace_root().to_path_buf();
    let workspace = ProjectWorkspace {
        kind: ProjectWorkspaceKind::Cargo {
            cargo,
            error: None,
            build_scripts: WorkspaceBuildScripts::default(),
            rustc: Err(None),
        },
        // std is ours and enters the graph below.
        sysroot: Sysroot::empty(),
        rustc_cfg: std_tree::user_cfg(),
        toolchain: Some(TOOLCHAIN),
        target: Ok(std_tree::target()),
        cfg_overrides: CfgOverrides::default(),
        extra_includes: Vec::new(),
        set_test: false,
    };

    let mut sources = files::Files::with_std();
    let (mut graph, proc_macros) =
        workspace.to_crate_graph(&mut |path: &AbsPath| sources.read_root(path), &FxHashMap::default());
    let user_crates: Vec<_> = graph.iter().collect();
    let data = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(TOOLCHAIN) };
    let std = StdCrates::add(&mut graph, &data, &|path| sources.std_file(path));
    for krate in &user_crates {
        std.inject(&mut graph, *krate);
    }
    sources.add_folders(&ProjectFolders::new(std::slice::from_ref(&workspace), &[], None), &base);

    let ProjectWorkspaceKind::Cargo { cargo, .. } = &workspace.kind else {
        return Err(LoadError::NoManifest(path.to_owned()));
    };
    let mut targets = Vec::new();
    for package in selected(cargo, &manifest) {
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
                let (name, is_program) = (target.name.clone(), target.kind.is_executable());
                targets.push(Target { name, package: Some(cargo[package].name.clone()), root, is_program });
            }
        }
    }
    if options.tests {
        let is_selected = |krate: &ra_ap_base_db::CrateBuilderId| {
            let krate = &graph[*krate].basic;
            let is_local = matches!(krate.origin, CrateOrigin::Local { .. });
            is_local && targets.iter().any(|target| target.root == krate.root_file_id)
        };
        let tested: Vec<_> = user_crates.iter().copied().filter(is_selected).collect();
        for krate in tested {
            test_entries::add(&mut graph, krate, &data);
        }
    }
    for package in cargo.packages() {
        sources.looks_at(cargo[package].manifest.as_ref());
    }
    let root: &Path = cargo.workspace_root().as_ref();
    sources.looks_at(&root.join("Cargo.toml"));
    sources.looks_at(&root.join("Cargo.lock"));
    // The Cargo Book, "Configuration": of the current folder, those around it, and the user's.
    let here = std::env::current_dir().unwrap_or_else(|_| root.to_owned());
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let folders = here.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    for folder in folders {
        sources.looks_at(&folder.join("config"));
        sources.looks_at(&folder.join("config.toml"));
    }
    let proc_macros = proc_macros.into_keys().collect();
    Ok(Loaded { files: sources, graph, proc_macros, targets, left_out })
}

/// The package whose manifest was given; of a virtual workspace, all its members.
fn selected(cargo: &CargoWorkspace, manifest: &ManifestPath) -> Vec<ra_ap_project_model::Package> {
    let members: Vec<_> = cargo.packages().filter(|package| cargo[*package].is_member).collect();
    let given: Vec<_> = members.iter().copied().filter(|package| cargo[*package].manifest == *manifest).collect();
    if given.is_empty() { members } else { given }
}

/// The manifest that a path names.
fn manifest(path: &Path) -> Result<PathBuf, LoadError> {
    let data = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => LoadError::NotFound(path.to_owned()),
        _ => LoadError::Unreadable(path.to_owned(), error),
    })?;
    if data.is_dir() {
        let here = path.join("Cargo.toml");
        if here.is_file() {
            return Ok(here);
        }
        // As cargo does it: the package around the folder.
        let absolute = files::absolute(path)?;
        let around = std::iter::successors(absolute.parent(), |folder| folder.parent());
        let mut manifests = around.map(|folder| PathBuf::from(folder.join("Cargo.toml")));
        manifests.find(|manifest| manifest.is_file()).ok_or_else(|| LoadError::NoManifest(path.to_owned()))
    } else if path.file_name().is_some_and(|name| name == "Cargo.toml") {
        Ok(path.to_owned())
    } else {
        Err(LoadError::NoManifest(path.to_owned()))
    }
}

/// What the package consists of, and what of it is not there. Offline: the network is never ours to use.
fn metadata(manifest: &Path, features: &Features) -> Result<(cargo_metadata::Metadata, Vec<LeftOut>), LoadError> {
    let message = match run(manifest, &features.options())? {
        Ok(metadata) => return Ok((metadata, Vec::new())),
        Err(message) => message,
    };
    match partial::metadata(manifest, features) {
        Ok((metadata, left_out)) if !left_out.is_empty() => Ok((metadata, left_out)),
        // Nothing is missing: cargo has another reason.
        _ => Err(LoadError::BrokenManifest(manifest.to_owned(), message)),
    }
}

/// Asks cargo; gives its own words if it refuses.
pub(super) fn run(manifest: &Path, options: &[String]) -> Result<Result<cargo_metadata::Metadata, String>, LoadError> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform", TARGET, "--color=never"])
        .args(options)
        .arg("--manifest-path")
        .arg(manifest)
        // rustup must not install a toolchain that the folder asks for.
        .env("RUSTUP_AUTO_INSTALL", "0");
    let output = command.output().map_err(LoadError::NoCargo)?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Ok(Err(message.trim().trim_start_matches("error: ").to_owned()));
    }
    let json = String::from_utf8_lossy(&output.stdout);
    Ok(cargo_metadata::MetadataCommand::parse(&*json).map_err(|error| error.to_string()))
}
