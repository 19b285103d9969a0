//! Loading a single file: a crate over std, made without cargo or rustc.

use std::path::Path;

use ra_ap_base_db::{
    CrateDisplayName, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, Env,
};
use ra_ap_cfg::CfgOptions;
use ra_ap_intern::Symbol;

use super::{LoadError, LoadOptions, Loaded, Target, cargo, files};
use crate::std_tree::{self, StdCrates};

pub(super) fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let text = files::read_text(path)?;
    let absolute = files::absolute(path)?;
    let name = absolute.file_stem().unwrap_or("main").to_owned();
    let mut sources = files::Files::with_std();
    let root = sources.add_single(&absolute, text, path).ok_or_else(|| LoadError::NotFound(path.to_owned()))?;

    let workspace = CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
    let mut graph = CrateGraphBuilder::default();
    let std = StdCrates::add(&mut graph, &workspace, &|path| sources.std_file(path));
    let mut cfg = CfgOptions::from_iter(std_tree::user_cfg());
    if options.test {
        cfg.insert_atom(Symbol::intern("test"));
    }
    let folder = absolute.parent().unwrap_or(&absolute).to_path_buf();
    let krate = graph.add_crate_root(
        root,
        options.edition,
        Some(CrateDisplayName::from_canonical_name(&name)),
        None,
        cfg,
        None,
        Env::default(),
        CrateOrigin::Local { repo: None, name: Some(Symbol::intern(&name)) },
        Vec::new(),
        false,
        folder.into(),
        workspace.into(),
    );
    std.inject(&mut graph, krate);
    let targets = vec![Target { name, root, is_program: true }];
    Ok(Loaded { files: sources, graph, proc_macros: Vec::new(), targets })
}
