//! Loading single files: each a crate over std, made without cargo or rustc.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use ra_ap_base_db::{CrateDisplayName, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, Env};
use ra_ap_cfg::CfgOptions;
use ra_ap_intern::Symbol;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_span::Edition;
use ra_ap_syntax::SourceFile;
use ra_ap_syntax::ast::{self, HasModuleItem, HasName};

use super::{LoadError, LoadOptions, Loaded, Target, cargo, files};
use crate::std_tree::{self, StdCrates};

/// A file, how it is shown, and its edition.
pub(super) struct Single<'a> {
    pub(super) path: &'a Path,
    pub(super) shown: PathBuf,
    pub(super) edition: Edition,
}

pub(super) fn load(singles: &[Single<'_>], options: &LoadOptions) -> Result<Loaded, LoadError> {
    let texts = singles.iter().map(|it| files::read_text(it.path)).collect::<Result<Vec<_>, _>>()?;
    let mut sources = files::Files::with_std();
    let workspace = || CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
    let mut graph = CrateGraphBuilder::default();
    let std = StdCrates::add(&mut graph, &workspace(), &|path| sources.std_file(path));
    let mut cfg = CfgOptions::from_iter(std_tree::user_cfg());
    if options.test {
        cfg.insert_atom(Symbol::intern("test"));
    }
    let mut targets = Vec::new();
    for (single, text) in singles.iter().zip(texts) {
        let absolute = files::absolute(single.path)?;
        let name = absolute.file_stem().unwrap_or("main").to_owned();
        let root = sources
            .add_single(with_modules(absolute.clone(), text, single.edition), &single.shown)
            .ok_or_else(|| LoadError::NotFound(single.path.to_owned()))?;
        let folder = absolute.parent().unwrap_or(&absolute).to_path_buf();
        let krate = graph.add_crate_root(
            root,
            single.edition,
            Some(CrateDisplayName::from_canonical_name(&name)),
            None,
            cfg.clone(),
            None,
            Env::default(),
            CrateOrigin::Local { repo: None, name: Some(Symbol::intern(&name)) },
            Vec::new(),
            false,
            folder.into(),
            workspace().into(),
        );
        std.inject(&mut graph, krate);
        targets.push(Target { name, root, is_program: true });
    }
    Ok(Loaded { files: sources, graph, proc_macros: Vec::new(), targets, left_out: Vec::new() })
}

/// The file and those of the modules it declares, as far as they can be read.
fn with_modules(root: AbsPathBuf, text: String, edition: Edition) -> Vec<(AbsPathBuf, String)> {
    let mut found: Vec<(AbsPathBuf, String)> = Vec::new();
    let folder = root.parent().map(AbsPath::to_path_buf);
    let mut queue = VecDeque::from([(root, folder, text)]);
    while let Some((path, folder, text)) = queue.pop_front() {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        if let Some(folder) = folder {
            for name in declared_modules(&text, edition) {
                let candidates = [folder.join(format!("{name}.rs")), folder.join(format!("{name}/mod.rs"))];
                let read = candidates.into_iter().find_map(|path| {
                    let text = files::read_text(path.as_ref()).ok()?;
                    Some((path, text))
                });
                if let Some((path, text)) = read {
                    queue.push_back((path, Some(folder.join(&name)), text));
                }
            }
        }
        found.push((path, text));
    }
    found
}

/// Names in `mod name;` items at the top of a file.
fn declared_modules(text: &str, edition: Edition) -> Vec<String> {
    let items = SourceFile::parse(text, edition).tree().items();
    let modules = items.filter_map(|item| match item {
        ast::Item::Module(module) if module.item_list().is_none() => module.name(),
        _ => None,
    });
    modules.map(|name| name.text().trim_start_matches("r#").to_owned()).collect()
}
