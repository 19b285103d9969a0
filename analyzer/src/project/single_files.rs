//! Loads single files: each is a crate over std, made without cargo or rustc.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use ra_ap_base_db::{CrateDisplayName, CrateGraphBuilder, CrateOrigin, CrateWorkspaceData, Env};
use ra_ap_cfg::{CfgAtom, CfgOptions};
use ra_ap_intern::Symbol;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_span::Edition;
use ra_ap_syntax::ast::{self, HasAttrs, HasModuleItem, HasName};
use ra_ap_syntax::{AstNode, SourceFile};
use rustc_hash::FxHashMap;

use super::{
    LoadError, LoadOptions, LoadedProject, OwnFolders, ProgramKind, Target, Tests, cargo, files,
    files::{OUTSIDE, SourceText},
    implied_paths, includes,
    platform::{HOST, Platform},
    read, test_entries,
    tools::Tools,
};
use crate::std_tree::{self, StdCrates};
use crate::workarounds::source_depth;

/// Maximum number of files of a program.
const MAX_FILES: usize = 10_000;

/// Maximum number of paths under which one file is loaded.
const MAX_NAMES: usize = 16;

/// A file that is a crate.
pub(super) struct SingleFile<'a> {
    pub(super) path: &'a Path,
    /// How it is shown.
    pub(super) shown: PathBuf,
    pub(super) edition: Edition,
    /// Its cfgs, besides those of the platform.
    pub(super) cfgs: Vec<CfgAtom>,
    /// Its variables for `env!`.
    pub(super) variables: Vec<(String, String)>,
}

impl<'a> SingleFile<'a> {
    /// A file that nothing is known of.
    pub(super) fn new(path: &'a Path, shown: PathBuf, edition: Edition) -> SingleFile<'a> {
        SingleFile { path, shown, edition, cfgs: Vec::new(), variables: Vec::new() }
    }
}

pub(super) fn load(singles: &[SingleFile<'_>], options: &LoadOptions) -> Result<LoadedProject, LoadError> {
    let texts = singles.iter().map(|it| read::read_source(it.path)).collect::<Result<Vec<_>, _>>()?;
    let mut sources = files::Files::with_std();
    let workspace = || CrateWorkspaceData { target: Ok(std_tree::target()), toolchain: Some(cargo::TOOLCHAIN) };
    let mut graph = CrateGraphBuilder::default();
    let std = StdCrates::add(&mut graph, &workspace(), &|path| sources.std_file(path));
    let platform = Platform::of(options.target.as_deref(), &Tools::without_cargo(options))?;
    let platforms = Vec::from_iter((platform.triple != HOST).then_some(platform.triple));
    let cfg = CfgOptions::from_iter(platform.cfg);
    let mut targets = Vec::new();
    for (single, text) in singles.iter().zip(texts) {
        let absolute = files::absolute(single.path)?;
        let name = absolute.file_stem().unwrap_or("main").to_owned();
        let mut looked_at = Vec::new();
        let own = OwnFolders::new([around(absolute.as_ref())]);
        if !own.have(absolute.as_ref()) {
            return Err(LoadError::LeavesProject(single.path.to_owned()));
        }
        let (files, refused) = with_modules(absolute.clone(), text, single.edition, &own, &mut looked_at);
        refused.iter().for_each(|(path, why)| sources.refuse(path.as_ref(), why));
        let root =
            sources.add_single(files, &single.shown).ok_or_else(|| LoadError::NotFound(single.path.to_owned()))?;
        looked_at.iter().for_each(|path: &AbsPathBuf| sources.looks_at(path.as_ref()));
        let folder = absolute.parent().unwrap_or(&absolute).to_path_buf();
        let mut cfgs = cfg.clone();
        cfgs.extend(single.cfgs.iter().cloned());
        let mut env = Env::default();
        single.variables.iter().for_each(|(name, value)| env.set(name, value.clone()));
        let krate = graph.add_crate_root(
            root,
            single.edition,
            Some(CrateDisplayName::from_canonical_name(&name)),
            None,
            cfgs,
            None,
            env,
            CrateOrigin::Local { repo: None, name: Some(Symbol::intern(&name)) },
            Vec::new(),
            false,
            folder.into(),
            workspace().into(),
        );
        std.inject(&mut graph, krate);
        if options.tests {
            test_entries::add(&mut graph, krate, &[], &workspace());
        }
        let (starts, tests) = (ProgramKind::Program, Tests::Functions);
        targets.push(Target { name, package: None, root, is_library: false, starts, tests });
    }
    Ok(LoadedProject { targets, platforms, ..LoadedProject::new(sources, graph) })
}

/// The file, the files of its modules, and the files that they include; and all paths that were looked for. Files that
/// were not read come with the reason.
fn with_modules(
    root: AbsPathBuf,
    text: String,
    edition: Edition,
    own: &OwnFolders,
    looked_at: &mut Vec<AbsPathBuf>,
) -> (Vec<SourceText>, Vec<(AbsPathBuf, String)>) {
    looked_at.push(root.clone());
    let mut found: Vec<SourceText> = Vec::new();
    let mut refused = Vec::new();
    // Links may lead to a file under more and more names.
    let mut names: FxHashMap<PathBuf, usize> = FxHashMap::default();
    let folder = folder_of(&root);
    let mut queue = VecDeque::from([(SourceText { path: root, text, is_included: false, is_code: true }, folder)]);
    while let Some((file, folder)) = queue.pop_front() {
        if found.iter().any(|known| known.path == file.path) {
            continue;
        }
        let real = fs::canonicalize::<&Path>(file.path.as_ref()).unwrap_or_default();
        let known = names.entry(real).or_default();
        *known += 1;
        if *known > MAX_NAMES || found.len() == MAX_FILES {
            refused.push((
                file.path,
                format!("one of more than {MAX_FILES} modules, or of {MAX_NAMES} names of one file"),
            ));
            continue;
        }
        let beside = folder_of(&file.path);
        let mut modules = Vec::new();
        if !file.is_included && source_depth::too_deep(&file.text, edition).is_none() {
            let items = SourceFile::parse(&file.text, edition).tree().items();
            declared_modules(items, &Folders { beside: &beside, inside: &folder, is_inline: false }, &mut modules);
        }
        for candidates in modules {
            looked_at.extend(candidates.iter().map(|(path, _)| path.clone()));
            let read = |(path, folder): (AbsPathBuf, AbsPathBuf)| match read::read_source(path.as_ref()) {
                Ok(_) if !own.have(path.as_ref()) => {
                    let why = LoadError::LeavesProject(path.clone().into()).reason();
                    refused.push((path, why));
                    None
                }
                Ok(text) => Some((SourceText { path, text, is_included: false, is_code: true }, folder)),
                Err(LoadError::NotFound(_)) => None,
                Err(error) => {
                    refused.push((path, error.reason()));
                    None
                }
            };
            queue.extend(candidates.into_iter().find_map(read));
        }
        for included in includes::paths(&file.text, edition) {
            let path = beside.absolutize(&included.path);
            looked_at.push(path.clone());
            let is_own =
                |is_code: bool| own.contain(file.path.as_ref(), path.as_ref()) || is_code && own.have(path.as_ref());
            match read::read_included(path.as_ref()) {
                Ok(_) if !is_own(included.is_code) => refused.push((path, OUTSIDE.to_owned())),
                Ok(text) => {
                    let is_code = included.is_code;
                    queue.push_back((SourceText { path, text, is_included: true, is_code }, beside.clone()));
                }
                Err(LoadError::NotFound(_)) => {}
                Err(error) => refused.push((path, error.reason())),
            }
        }
        found.push(file);
    }
    (found, refused)
}

/// The folder whose files belong to a single file: the nearest workspace around it, else the package, else its folder.
fn around(file: &Path) -> &Path {
    let manifest = |folder: &Path| implied_paths::read_manifest(&folder.join("Cargo.toml"));
    let around = || file.ancestors().skip(1);
    let workspace = around().find(|it| manifest(it).contains_key("workspace"));
    let package = || around().find(|it| it.join("Cargo.toml").is_file());
    workspace.or_else(package).or(file.parent()).unwrap_or(file)
}

fn folder_of(path: &AbsPath) -> AbsPathBuf {
    path.parent().unwrap_or(path).to_path_buf()
}

/// Where the files of modules are looked for (Reference, "Module source filenames" and "The `path` attribute").
struct Folders<'a> {
    /// The folder of the file itself.
    beside: &'a AbsPath,
    /// The folder of the modules declared here.
    inside: &'a AbsPath,
    /// The declaration is in an inline module: its `path` is relative to that module's folder.
    is_inline: bool,
}

/// For each `mod name;`, the candidate files, and the folders of the modules that they declare.
fn declared_modules(
    items: impl Iterator<Item = ast::Item>,
    folders: &Folders<'_>,
    found: &mut Vec<Vec<(AbsPathBuf, AbsPathBuf)>>,
) {
    for item in items {
        let ast::Item::Module(module) = item else { continue };
        let Some(name) = module.name() else { continue };
        let name = name.text().trim_start_matches("r#").to_owned();
        let base = if folders.is_inline { folders.inside } else { folders.beside };
        let at_path = path_attribute(&module).map(|path| base.absolutize(path));
        match module.item_list() {
            Some(list) => {
                let inside = at_path.unwrap_or_else(|| folders.inside.join(&name));
                let inner = Folders { beside: folders.beside, inside: &inside, is_inline: true };
                declared_modules(list.items(), &inner, found);
            }
            None => found.push(match at_path {
                Some(path) => {
                    let folder = folder_of(&path);
                    vec![(path, folder)]
                }
                None => {
                    let inside = folders.inside.join(&name);
                    let own = folders.inside.join(format!("{name}.rs"));
                    vec![(own, inside.clone()), (inside.join("mod.rs"), inside)]
                }
            }),
        }
    }
}

/// The text of `#[path = "…"]`.
fn path_attribute(module: &ast::Module) -> Option<String> {
    let value = |attr: ast::Attr| match attr.meta()? {
        ast::Meta::KeyValueMeta(meta) if meta.path()?.syntax().text() == "path" => meta.expr(),
        _ => None,
    };
    let ast::Expr::Literal(literal) = module.attrs().find_map(value)? else { return None };
    match literal.kind() {
        ast::LiteralKind::String(text) => Some(text.value().ok()?.into_owned()),
        _ => None,
    }
}
