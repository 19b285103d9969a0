//! Loading single files: each a crate over std, made without cargo or rustc.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use ra_ap_base_db::{CrateDisplayName, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, Env};
use ra_ap_cfg::CfgOptions;
use ra_ap_intern::Symbol;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_span::Edition;
use ra_ap_syntax::AstNode;
use ra_ap_syntax::SourceFile;
use ra_ap_syntax::ast::{self, HasAttrs, HasModuleItem, HasName};

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
        targets.push(Target { name, package: None, root, is_program: true });
    }
    Ok(Loaded { files: sources, graph, proc_macros: Vec::new(), targets, left_out: Vec::new() })
}

/// The file and those of the modules it declares, as far as they can be read.
fn with_modules(root: AbsPathBuf, text: String, edition: Edition) -> Vec<(AbsPathBuf, String)> {
    let mut found: Vec<(AbsPathBuf, String)> = Vec::new();
    let Some(folder) = root.parent().map(AbsPath::to_path_buf) else { return vec![(root, text)] };
    let mut queue = VecDeque::from([(root, folder, text)]);
    while let Some((path, folder, text)) = queue.pop_front() {
        if found.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let items = SourceFile::parse(&text, edition).tree().items();
        // `#[path]` counts from the file's own folder, also where the file is no `mod.rs`.
        let beside = path.parent().map_or_else(|| folder.clone(), AbsPath::to_path_buf);
        let mut declared = Vec::new();
        declared_modules(items, &folder, &beside, &mut declared);
        for candidates in declared {
            let read = candidates.into_iter().find_map(|(path, folder)| {
                let text = files::read_text(path.as_ref()).ok()?;
                Some((path, folder, text))
            });
            queue.extend(read);
        }
        found.push((path, text));
    }
    found
}

/// The files that a `mod name;` may mean, each with the folder of its own modules.
type Candidates = Vec<(AbsPathBuf, AbsPathBuf)>;

/// Adds the files of each `mod name;`, also in modules that are written out.
fn declared_modules(
    items: impl Iterator<Item = ast::Item>,
    folder: &AbsPath,
    beside: &AbsPath,
    found: &mut Vec<Candidates>,
) {
    for item in items {
        let ast::Item::Module(module) = item else { continue };
        let Some(name) = module.name() else { continue };
        let name = name.text().trim_start_matches("r#").to_owned();
        let path = module.attrs().find_map(|attr| path_attribute(&attr));
        match (module.item_list(), path) {
            (Some(list), path) => {
                let folder = path.map_or_else(|| folder.join(&name), |path| beside.join(path));
                declared_modules(list.items(), &folder, &folder, found);
            }
            (None, Some(path)) => {
                let path = beside.absolutize(path);
                let folder = path.parent().unwrap_or(&path).to_path_buf();
                found.push(vec![(path, folder)]);
            }
            (None, None) => {
                let inner = folder.join(&name);
                found.push(vec![(folder.join(format!("{name}.rs")), inner.clone()), (inner.join("mod.rs"), inner)]);
            }
        }
    }
}

/// The text of `#[path = "…"]`.
fn path_attribute(attr: &ast::Attr) -> Option<String> {
    if attr.simple_name()? != "path" {
        return None;
    }
    let text = attr.syntax().text().to_string();
    let (_, value) = text.split_once('=')?;
    Some(value.trim().trim_end_matches(']').trim().trim_matches('"').to_owned())
}
