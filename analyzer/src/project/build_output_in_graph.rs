//! Adds build output to the crate graph: cfgs and variables of build scripts, and their files.

use super::{build_output::PackageBuildOutput, files::Files};
use crate::workarounds::crate_graphs;
use ra_ap_base_db::{CrateBuilderId, CrateGraphBuilder, CrateWorkspaceData};
use ra_ap_project_model::{CargoWorkspace, Package, TargetKind};
use ra_ap_vfs::FileId;
use rustc_hash::FxHashMap;

/// The packages by the roots of their crates.
pub(super) fn packages(cargo: &CargoWorkspace, files: &mut Files) -> FxHashMap<FileId, Package> {
    let mut packages = FxHashMap::default();
    for package in cargo.packages() {
        for &target in &cargo[package].targets {
            if let Some(root) = files.read_root(&cargo[target].root)
                && cargo[target].kind != TargetKind::BuildScript
            {
                packages.entry(root).or_insert(package);
            }
        }
    }
    packages
}

/// The packages that make up the user's programs, and those of their macros. Packages that only build scripts and
/// macros need are not interpreted. Sorted by name and version.
pub(super) fn needed(
    graph: &CrateGraphBuilder,
    packages: &FxHashMap<FileId, Package>,
    cargo: &CargoWorkspace,
) -> Vec<Package> {
    let package_of = |krate: CrateBuilderId| packages.get(&graph[krate].basic.root_file_id).copied();
    let is_member = |krate: &CrateBuilderId| package_of(*krate).is_some_and(|it| cargo[it].is_member);
    let mut crates: Vec<CrateBuilderId> = graph.iter().filter(is_member).collect();
    let mut next = 0;
    while let Some(&krate) = crates.get(next) {
        next += 1;
        if is_member(&krate) || !graph[krate].basic.is_proc_macro {
            let needs = graph[krate].basic.dependencies.iter().map(|it| it.crate_id);
            let new: Vec<_> = needs.filter(|it| !crates.contains(it)).collect();
            crates.extend(new);
        }
    }
    let mut needed: Vec<Package> = crates.into_iter().filter_map(package_of).collect();
    needed.sort_by_key(|it| (&cargo[*it].name, &cargo[*it].version));
    needed.dedup();
    needed
}

/// The same graph, with each package's build output.
pub(super) fn with_made<'a>(
    graph: &CrateGraphBuilder,
    workspace: &CrateWorkspaceData,
    made_of: impl Fn(CrateBuilderId) -> Option<&'a PackageBuildOutput>,
) -> CrateGraphBuilder {
    crate_graphs::changed(graph, workspace, |id, krate| {
        if let Some(made) = made_of(id) {
            krate.cfg_options.extend(made.cfgs.iter().cloned());
            made.variables.iter().for_each(|(name, value)| krate.env.set(name, value.clone()));
        }
    })
}
