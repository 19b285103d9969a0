//! What of a project may be used besides its source (SECURITY.md), and what is therefore unknown.

use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
};

/// How far a project is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Trust {
    /// Nothing is executed, and no build output is used.
    #[default]
    Untrusted,
    /// Nothing is built. In a workspace that the user has allowed, output of the last `cargo check` or `cargo build` is
    /// used: output of build scripts, and procedural macro libraries, which run in the toolchain's own server.
    IfWorkspaceTrusted(Allowed),
    /// `cargo check` builds what is needed: build scripts and procedural macros run, and all programs that the
    /// configuration names.
    Trusted,
}

/// The workspaces that the user has allowed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allowed {
    /// Canonical paths of workspace roots.
    pub roots: BTreeSet<PathBuf>,
    /// Folders in which every workspace is allowed: what the editor's user trusts.
    pub folders: Vec<PathBuf>,
}

impl Allowed {
    /// Whether the workspace with this canonical root is allowed.
    fn has(&self, root: &Path) -> bool {
        let is_around = |folder: &PathBuf| folder.canonicalize().is_ok_and(|it| root.starts_with(it));
        self.roots.contains(root) || self.folders.iter().any(is_around)
    }
}

impl Trust {
    /// Whether build output of a workspace may be used; the error says why not.
    pub(super) fn uses_builds_of(&self, workspace: &Path) -> Result<(), MissingBuildOutputReason> {
        let root = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
        match self {
            Trust::Untrusted => Err(MissingBuildOutputReason::Untrusted),
            Trust::IfWorkspaceTrusted(allowed) if !allowed.has(&root) => {
                Err(MissingBuildOutputReason::WorkspaceNotTrusted(root))
            }
            Trust::IfWorkspaceTrusted(_) | Trust::Trusted => Ok(()),
        }
    }
}

/// Build output of a package that is missing or unusable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingBuildOutput {
    /// Why.
    pub why: MissingBuildOutputReason,
    /// What is missing.
    pub what: BuildOutputKind,
    /// The package's name.
    pub package: String,
}

/// A kind of build output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BuildOutputKind {
    /// Output of the build script: cfgs, variables, files. Without it none of its cfgs is set.
    BuildScript,
    /// A procedural macro library. Without it its macros are not expanded.
    Macros,
}

/// Why build output is missing or not up to date.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingBuildOutputReason {
    /// [`Trust::Untrusted`] forbids its use.
    Untrusted,
    /// The user has not allowed the workspace with this root.
    WorkspaceNotTrusted(PathBuf),
    /// There is none.
    NotBuilt,
    /// It was used, but is older than this file.
    Older(String),
    /// It exists but cannot be used; with the reason.
    Unusable(String),
}

/// A procedural macro library that was loaded: its code runs in the toolchain's server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadedMacros {
    /// The package's name.
    pub package: String,
    /// The library, relative to the workspace if it is inside.
    pub library: PathBuf,
}

impl fmt::Display for BuildOutputKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BuildOutputKind::BuildScript => "build script",
            BuildOutputKind::Macros => "macros",
        })
    }
}
