//! The procedural macros of a project: those of libraries that a build left, and the [`builtin_macros`].
//!
//! A library runs in the server of the toolchain that built it. A macro without expander is no error: an attribute
//! leaves its item unchanged, a derive and a call yield nothing, and what is missing is uninterpreted.

use crate::workarounds::source_depth;

use super::{
    builtin_macros,
    read::{self, MAX_SOURCE},
    tools::Tools,
    trust::{BuildOutputKind, LoadedMacros, MissingBuildOutput, MissingBuildOutputReason},
};
use cargo_metadata::semver::Version;
use ra_ap_base_db::{CrateBuilderId, ProcMacroLoadingError};
use ra_ap_hir_expand::proc_macro::ProcMacroLoadResult;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_proc_macro_api::ProcMacroClient;
use ra_ap_span::Edition;
use ra_ap_syntax::{
    SourceFile,
    ast::{self, HasAttrs as _, HasModuleItem as _, HasName as _},
};
use std::{path::Path, str::FromStr as _};

/// A procedural macro crate.
pub(super) struct Library {
    pub(super) krate: CrateBuilderId,
    pub(super) package: String,
    /// Its version, if known.
    pub(super) version: Option<Version>,
    /// Its function-like macros.
    pub(super) functions: Vec<String>,
    /// The built library.
    pub(super) path: Option<AbsPathBuf>,
}

/// The macros of some crates.
#[derive(Default)]
pub(super) struct Macros {
    pub(super) by_crate: Vec<(CrateBuilderId, ProcMacroLoadResult)>,
    /// The libraries whose code runs.
    pub(super) loaded: Vec<LoadedMacros>,
}

/// Loads the macros of a workspace's crates; notes what cannot be loaded.
pub(super) fn load(
    libraries: &[Library],
    workspace: &AbsPath,
    tools: &Tools,
    unbuilt: &mut Vec<MissingBuildOutput>,
) -> Macros {
    let mut server = None;
    let mut all = Macros::default();
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
        let macros = macros.or_else(|error| {
            let version = library.version.as_ref();
            let mut known = version.map(|version| builtin_macros::of(&library.package, version)).unwrap_or_default();
            if !known.is_empty() {
                // Uses without a builtin macro are reported themselves.
                let is_it =
                    |it: &MissingBuildOutput| it.what == BuildOutputKind::Macros && it.package == library.package;
                unbuilt.retain(|it| !is_it(it) || matches!(it.why, MissingBuildOutputReason::Unusable(_)));
            }
            let is_new = |name: &&String| known.iter().all(|it| it.name.as_str() != name.as_str());
            let others = library.functions.iter().filter(is_new).cloned().collect();
            known.extend(builtin_macros::unknown(&library.package, others));
            if known.is_empty() { Err(error) } else { Ok(known) }
        });
        all.by_crate.push((library.krate, macros));
    }
    all.loaded.sort();
    all
}

/// The function-like macros that a crate's root defines.
pub(super) fn functions(root: &Path) -> Vec<String> {
    let text = read::read_text(root, MAX_SOURCE).unwrap_or_default();
    if source_depth::too_deep(&text, Edition::CURRENT).is_some() {
        return Vec::new();
    }
    let function = |item| match item {
        ast::Item::Fn(function) => {
            let is_macro = function.attrs().any(|it| it.simple_name().is_some_and(|name| name == "proc_macro"));
            is_macro.then(|| function.name()).flatten().map(|it| it.text().trim_start_matches("r#").to_owned())
        }
        _ => None,
    };
    SourceFile::parse(&text, Edition::CURRENT).tree().items().filter_map(function).collect()
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
