//! Which part of a target `cargo test` runs, and whether a build contains it at all (the Cargo Book, "Cargo Targets").

use super::Tests;
use super::read::{self, MAX_MANIFEST};
use cargo_metadata::Metadata;
use ra_ap_project_model::{CargoWorkspace, Package, TargetData, TargetKind};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// The roots of the targets that `cargo test` skips: those with `test = false`, and by default examples.
pub(super) fn untested(metadata: &Metadata) -> FxHashSet<PathBuf> {
    let targets = metadata.packages.iter().flat_map(|it| &it.targets);
    targets.filter(|it| !it.test).map(|it| it.src_path.clone().into_std_path_buf()).collect()
}

/// The roots of the libraries whose documentation tests `cargo test` runs. Those of libraries of procedural macros are
/// left out: their macros are expanded only after a build.
pub(super) fn with_doc_tests(metadata: &Metadata) -> FxHashSet<PathBuf> {
    let targets = metadata.packages.iter().flat_map(|it| &it.targets);
    let tested = targets.filter(|it| it.doctest && !it.is_proc_macro());
    tested.map(|it| it.src_path.clone().into_std_path_buf()).collect()
}

/// The targets of a package with their own test `main` (`harness = false`): table in the manifest, and the name if
/// given.
pub(super) fn without_harness(manifest: &Path) -> Vec<(String, Option<String>)> {
    let text = read::read_text(manifest, MAX_MANIFEST).unwrap_or_default();
    let manifest: toml::Table = text.parse().unwrap_or_default();
    let mut found = Vec::new();
    for (table, value) in manifest {
        let all = match &value {
            toml::Value::Array(all) => all.iter().filter_map(toml::Value::as_table).collect(),
            toml::Value::Table(one) => vec![one],
            _ => Vec::new(),
        };
        let own = all.into_iter().filter(|it| it.get("harness").and_then(toml::Value::as_bool) == Some(false));
        found.extend(own.map(|it| (table.clone(), it.get("name").and_then(toml::Value::as_str).map(str::to_owned))));
    }
    found
}

/// Which part of a target `cargo test` runs.
pub(super) fn tests(
    target: &TargetData,
    untested: &FxHashSet<PathBuf>,
    without_harness: &[(String, Option<String>)],
) -> Tests {
    let table = match target.kind {
        TargetKind::Bin => "bin",
        TargetKind::Lib { .. } => "lib",
        TargetKind::Example => "example",
        TargetKind::Test => "test",
        TargetKind::Bench => "bench",
        TargetKind::BuildScript | TargetKind::Other => return Tests::None,
    };
    let is_it =
        |(of, name): &(String, Option<String>)| of == table && (table == "lib" || *name == Some(target.name.clone()));
    let root: &Path = target.root.as_ref();
    match () {
        () if untested.contains(root) => Tests::None,
        () if without_harness.iter().any(is_it) => Tests::Main,
        () => Tests::Functions,
    }
}

/// The required features of a target that are off; cargo skips it then. Features of dependencies count as on.
pub(super) fn lacks(cargo: &CargoWorkspace, package: Package, target: &TargetData) -> Vec<String> {
    let is_off = |it: &&String| !it.contains('/') && !cargo[package].active_features.contains(it);
    target.required_features.iter().filter(is_off).cloned().collect()
}
