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
    let is_followed = |krate| is_member(&krate) || !graph[krate].basic.is_proc_macro;
    let crates = crate_graphs::reachable(graph, graph.iter().filter(is_member), is_followed);
    let mut needed: Vec<Package> = crates.into_iter().filter_map(package_of).collect();
    needed.sort_by_key(|it| (&cargo[*it].name, &cargo[*it].version));
    needed.dedup();
    needed
}

/// These crates of the graph, with the build output of their packages. `is_reduced` says which need no other crates. Also
/// returns their ids by those in the whole graph.
pub(super) fn with_made<'a>(
    graph: &CrateGraphBuilder,
    wanted: &[CrateBuilderId],
    workspace: &CrateWorkspaceData,
    is_reduced: impl Fn(CrateBuilderId) -> bool,
    made_of: impl Fn(CrateBuilderId) -> Option<&'a PackageBuildOutput>,
) -> (CrateGraphBuilder, FxHashMap<CrateBuilderId, CrateBuilderId>) {
    crate_graphs::part(graph, wanted, workspace, |id, krate| {
        if is_reduced(id) {
            krate.basic.dependencies.clear();
        }
        if let Some(made) = made_of(id) {
            made.add_to(krate);
        }
    })
}
