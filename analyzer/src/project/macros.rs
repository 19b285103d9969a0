//! The procedural macros of a project: those of libraries that a build left, and the [`builtin_macros`].
//!
//! A library runs in the server of the toolchain that built it; one that is not built is interpreted
//! ([`interpreted_macros`](super::interpreted_macros)). A macro without expander is no error: an attribute leaves its item
//! unchanged, a derive and a call yield nothing, and what is missing is uninterpreted.

use crate::workarounds::source_depth;

use super::{
    build_output, builtin_macros,
    interpreted_macros::{Macro, MacroCrates, MacroServer, ServerHandle},
    read::{self, MAX_SOURCE},
    tools::Tools,
    trust::{BuildOutputKind, LoadedMacros, MissingBuildOutput, MissingBuildOutputReason},
};
use cargo_metadata::semver::Version;
use ra_ap_base_db::{CrateBuilderId, ProcMacroLoadingError};
use ra_ap_hir_expand::proc_macro::{ProcMacro, ProcMacroKind, ProcMacroLoadResult};
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_proc_macro_api::ProcMacroClient;
use ra_ap_project_model::{CargoWorkspace, Package};
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode as _, SourceFile, SyntaxKind,
    ast::{self, HasAttrs as _, HasModuleItem as _, HasName as _},
};
use std::{
    path::Path,
    str::FromStr as _,
    sync::{Arc, Weak},
};

/// A procedural macro crate.
pub(super) struct Library {
    pub(super) krate: CrateBuilderId,
    pub(super) package: String,
    /// Its version, if known.
    pub(super) version: Option<Version>,
    /// Its macros.
    pub(super) macros: Vec<Macro>,
    /// The built library.
    pub(super) path: Option<AbsPathBuf>,
    /// Its package in the Cargo workspace, if it is of one; and the id of that, if it is published: its files never
    /// change.
    pub(super) cargo: Option<(Package, Option<String>)>,
}

impl Library {
    /// The library of a package.
    pub(super) fn of(
        cargo: &CargoWorkspace,
        package: Package,
        krate: CrateBuilderId,
        path: Option<AbsPathBuf>,
    ) -> Option<Library> {
        let data = &cargo[package];
        let root = data.targets.iter().map(|it| &cargo[*it]).find(|it| it.kind.is_proc_macro())?;
        let published = build_output::is_published(data).then(|| data.id.repr.clone());
        Some(Library {
            krate,
            package: data.name.clone(),
            version: Some(data.version.clone()),
            macros: defined(root.root.as_ref()),
            path,
            cargo: Some((package, published)),
        })
    }

    fn builtin(&self) -> Vec<ProcMacro> {
        self.version.as_ref().map(|version| builtin_macros::of(&self.package, version)).unwrap_or_default()
    }

    /// Its macros that are not builtin.
    pub(super) fn interpreted(&self) -> Vec<Macro> {
        let known = self.builtin();
        let is_new = |it: &&Macro| known.iter().all(|known| known.name.as_str() != it.name.as_str());
        self.macros.iter().filter(is_new).cloned().collect()
    }
}

/// The macros of some crates.
#[derive(Default)]
pub(super) struct Macros {
    pub(super) by_crate: Vec<(CrateBuilderId, ProcMacroLoadResult)>,
    /// The libraries whose code runs.
    pub(super) loaded: Vec<LoadedMacros>,
    /// The interpreter of macros, if their crates are known.
    pub(super) interpreted: Option<Arc<MacroServer>>,
}

/// Loads the macros of a workspace's crates; notes what cannot be loaded. What is not built is interpreted, if its crates
/// are known.
pub(super) fn load(
    libraries: &[Library],
    workspace: &AbsPath,
    tools: &Tools,
    unbuilt: &mut Vec<MissingBuildOutput>,
    crates: Option<MacroCrates>,
) -> Macros {
    let mut server = None;
    let mut all = Macros::default();
    let mut without = Vec::new();
    for library in libraries {
        let macros = match &library.path {
            None => Err(ProcMacroLoadingError::NotYetBuilt),
            Some(path) => {
                let server = server.get_or_insert_with(|| start(tools));
                let macros = match server {
                    Ok(server) => ra_ap_load_cargo::load_proc_macro(server, path, &[]).map_err(|error| match error {
                        ProcMacroLoadingError::ProcMacroSrvError(says) => says.to_string(),
                        error => error.to_string(),
                    }),
                    Err(why) => Err(why.clone()),
                };
                if macros.is_ok() {
                    let shown = path.strip_prefix(workspace).map_or(path.as_str(), |it| it.as_str()).into();
                    all.loaded.push(LoadedMacros { package: library.package.clone(), library: shown });
                }
                macros.map_err(|says| {
                    let why = MissingBuildOutputReason::Unusable(says.lines().next().unwrap_or_default().to_owned());
                    unbuilt.push(MissingBuildOutput {
                        why,
                        what: BuildOutputKind::Macros,
                        package: library.package.clone(),
                    });
                    ProcMacroLoadingError::ProcMacroSrvError(says.into_boxed_str())
                })
            }
        };
        match macros {
            Ok(macros) => all.by_crate.push((library.krate, Ok(macros))),
            Err(error) => without.push((library, error)),
        }
    }
    all.loaded.sort();
    let interpreted = crates.map(MacroServer::new);
    for (library, error) in without {
        let macros = unbuilt_macros(library, error, &|package, macros| {
            Some((ServerHandle::Owned(interpreted.clone()?), interpreted.as_ref()?.add(package, macros)?))
        });
        if macros.as_ref().is_ok_and(|it| it.iter().any(|it| !builtin_macros::is_unknown(it))) {
            // Uses that are not expanded are reported themselves.
            let is_it = |it: &MissingBuildOutput| it.what == BuildOutputKind::Macros && it.package == library.package;
            unbuilt.retain(|it| !is_it(it) || matches!(it.why, MissingBuildOutputReason::Unusable(_)));
        }
        all.by_crate.push((library.krate, macros));
    }
    Macros { interpreted, ..all }
}

/// The macros of libraries whose macros a server expands for itself. `index` is that of a package among its libraries.
pub(super) fn load_nested(
    libraries: &[Library],
    server: &Weak<MacroServer>,
    index: &dyn Fn(Package) -> Option<usize>,
) -> Macros {
    let of_server = |package: Package, _: Vec<Macro>| Some((ServerHandle::Nested(server.clone()), index(package)?));
    let macros = |library| unbuilt_macros(library, ProcMacroLoadingError::NotYetBuilt, &of_server);
    let by_crate = libraries.iter().map(|library| (library.krate, macros(library))).collect();
    Macros { by_crate, ..Macros::default() }
}

/// The macros of a library that is not built: those that are builtin, the others interpreted. `interpreter` expands
/// macros of a package; the number is the index of its library.
fn unbuilt_macros(
    library: &Library,
    error: ProcMacroLoadingError,
    interpreter: &dyn Fn(Package, Vec<Macro>) -> Option<(ServerHandle, usize)>,
) -> ProcMacroLoadResult {
    let (mut known, others) = (library.builtin(), library.interpreted());
    let of_package = library.cargo.as_ref().filter(|_| !others.is_empty());
    match of_package.and_then(|(package, published)| Some((interpreter(*package, others.clone())?, published))) {
        Some(((server, index), published)) => {
            known.extend(server.macros(index, &library.package, published.clone(), others));
        }
        None => {
            let functions = others.into_iter().filter(|it| it.kind == ProcMacroKind::Bang).map(|it| it.name);
            known.extend(builtin_macros::unknown(&library.package, functions.collect()));
        }
    }
    if known.is_empty() { Err(error) } else { Ok(known) }
}

/// The macros that a crate's root defines (the Reference, "Procedural macros").
pub(super) fn defined(root: &Path) -> Vec<Macro> {
    let text = read::read_text(root, MAX_SOURCE).unwrap_or_default();
    if source_depth::too_deep(&text, Edition::CURRENT).is_some() {
        return Vec::new();
    }
    let mut all: Vec<Macro> = Vec::new();
    for item in SourceFile::parse(&text, Edition::CURRENT).tree().items() {
        let ast::Item::Fn(function) = item else { continue };
        let found = function.name().zip(function.attrs().find_map(|it| kind_and_name(&it)));
        let Some((function, (kind, name))) = found else { continue };
        let function = function.text().trim_start_matches("r#").to_owned();
        let name = name.unwrap_or_else(|| function.clone());
        // With other features, another function may define it.
        if all.iter().all(|it| it.name != name) {
            all.push(Macro { name, function, kind });
        }
    }
    all
}

/// The kind of macro that an attribute makes of a function, perhaps with a `cfg_attr` around it, and the name that it
/// gives to a derive macro.
pub(super) fn kind_and_name(attr: &ast::Attr) -> Option<(ProcMacroKind, Option<String>)> {
    let tokens = attr.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
    let mut names = tokens.filter(|it| it.kind() == SyntaxKind::IDENT);
    names
        .find_map(|name| match name.text() {
            "proc_macro" => Some(ProcMacroKind::Bang),
            "proc_macro_attribute" => Some(ProcMacroKind::Attr),
            "proc_macro_derive" => Some(ProcMacroKind::CustomDerive),
            _ => None,
        })
        .map(|kind| {
            let name = names.next().filter(|_| kind == ProcMacroKind::CustomDerive);
            (kind, name.map(|it| it.text().to_owned()))
        })
}

/// Starts the server of the toolchain that the workspace is built with.
fn start(tools: &Tools) -> Result<ProcMacroClient, String> {
    let asked = |option: &[&str]| {
        let mut command = tools.rustc();
        command.args(option);
        let output = tools.output(&mut command).map_err(|error| format!("cannot run rustc: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() { Ok(text) } else { Err("rustc does not say where it is".to_owned()) }
    };
    let sysroot = asked(&["--print=sysroot"])?;
    // `rustc 1.95.0 (…)`
    let version = asked(&["--version"])?;
    let version = version.split(' ').nth(1).and_then(|it| Version::from_str(it).ok());
    let name = format!("libexec/rust-analyzer-proc-macro-srv{}", std::env::consts::EXE_SUFFIX);
    let path =
        AbsPathBuf::try_from(sysroot.as_str()).map_err(|_| "rustc does not say where it is".to_owned())?.join(name);
    if !AsRef::<Path>::as_ref(&path).is_file() {
        return Err("the toolchain has no `rust-analyzer-proc-macro-srv`".to_owned());
    }
    let nothing: [(&str, &Option<String>); 0] = [];
    ProcMacroClient::spawn(&path, nothing, version.as_ref(), 1).map_err(|error| error.to_string())
}
