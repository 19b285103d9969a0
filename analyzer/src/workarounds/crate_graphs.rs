//! Modified crates in a crate graph.
//!
//! * Symptom: the cfgs, variables and origin of a crate in a graph cannot be modified.
//! * Test: `tests/suite/project/projects.rs`, `tests/suite/project/json.rs`.
//! * Upstream: none known.
//! * Goes when: a graph can be modified.
//!
//! So a new graph is built.

use ra_ap_base_db::{CrateBuilder, CrateBuilderId, CrateGraphBuilder, CrateWorkspaceData};

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
