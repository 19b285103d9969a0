//! Modified crates in a crate graph.
//!
//! * Symptom: the cfgs, variables and origin of a crate in a graph cannot be modified.
//! * Test: `tests/suite/project/projects.rs`, `tests/suite/project/json.rs`.
//! * Upstream: none known.
//! * Goes when: a graph can be modified.
//!
//! So a new graph is built.

use ra_ap_base_db::{CrateBuilder, CrateBuilderId, CrateGraphBuilder, CrateWorkspaceData};
use rustc_hash::{FxHashMap, FxHashSet};

/// The same graph with modified crates.
pub(crate) fn changed(
    graph: &CrateGraphBuilder,
    workspace: &CrateWorkspaceData,
    change: impl Fn(CrateBuilderId, &mut CrateBuilder),
) -> CrateGraphBuilder {
    let mut with = CrateGraphBuilder::default();
    for id in graph.iter() {
        let mut krate = graph[id].clone();
        change(id, &mut krate);
        let same = add(&mut with, krate, workspace);
        assert_eq!(same, id, "ids count the crates in the order in which they came");
    }
    for id in graph.iter() {
        for dependency in &graph[id].basic.dependencies {
            with.add_dep(id, dependency.clone()).expect("the graph had no cycle");
        }
    }
    with
}

/// Some crates of a graph, modified, with their dependencies on each other. Also returns their ids by those in the whole
/// graph.
pub(crate) fn part(
    graph: &CrateGraphBuilder,
    wanted: &[CrateBuilderId],
    workspace: &CrateWorkspaceData,
    change: impl Fn(CrateBuilderId, &mut CrateBuilder),
) -> (CrateGraphBuilder, FxHashMap<CrateBuilderId, CrateBuilderId>) {
    let mut part = CrateGraphBuilder::default();
    let mut ids = FxHashMap::default();
    let mut added = Vec::new();
    let is_wanted: FxHashSet<_> = wanted.iter().copied().collect();
    for id in graph.iter().filter(|it| is_wanted.contains(it)) {
        let mut krate = graph[id].clone();
        change(id, &mut krate);
        let dependencies = std::mem::take(&mut krate.basic.dependencies);
        let new = add(&mut part, krate, workspace);
        ids.insert(id, new);
        added.push((new, dependencies));
    }
    for (from, mut dependency) in added.into_iter().flat_map(|(from, all)| all.into_iter().map(move |it| (from, it))) {
        if let Some(to) = ids.get(&dependency.crate_id) {
            dependency.crate_id = *to;
            part.add_dep(from, dependency).expect("the graph had no cycle");
        }
    }
    (part, ids)
}

/// These crates of a graph, and those that they depend on. The dependencies of some are not followed.
pub(crate) fn reachable(
    graph: &CrateGraphBuilder,
    first: impl Iterator<Item = CrateBuilderId>,
    mut is_followed: impl FnMut(CrateBuilderId) -> bool,
) -> Vec<CrateBuilderId> {
    let mut all: Vec<CrateBuilderId> = first.collect();
    let mut known: FxHashSet<CrateBuilderId> = all.iter().copied().collect();
    let mut next = 0;
    while let Some(&krate) = all.get(next) {
        next += 1;
        if is_followed(krate) {
            let needs = graph[krate].basic.dependencies.iter().map(|it| it.crate_id);
            all.extend(needs.filter(|it| known.insert(*it)));
        }
    }
    all
}

/// Adds a crate without its dependencies.
pub(crate) fn add(
    graph: &mut CrateGraphBuilder,
    krate: CrateBuilder,
    workspace: &CrateWorkspaceData,
) -> CrateBuilderId {
    let attributes = attributes(&krate);
    graph.add_crate_root(
        krate.basic.root_file_id,
        krate.basic.edition,
        krate.extra.display_name,
        krate.extra.version,
        krate.cfg_options,
        krate.extra.potential_cfg_options,
        krate.env,
        krate.basic.origin,
        attributes,
        krate.basic.is_proc_macro,
        krate.basic.proc_macro_cwd,
        workspace.clone().into(),
    )
}

/// The attributes that a project sets for a crate, in the form that a graph expects.
pub(crate) fn attributes(krate: &CrateBuilder) -> Vec<String> {
    let text = |it: &str| it.trim_start_matches("#![").trim_end_matches(']').to_owned();
    krate.basic.crate_attrs.iter().map(|it| text(it)).collect()
}
