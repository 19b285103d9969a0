//! What of a project may be used besides its source (SECURITY.md), and what is unknown because it was not.

use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
};

/// How far a project is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Trust {
    /// Nothing runs, and nothing that a build made is used.
    #[default]
    Untrusted,
    /// Nothing is built. In a workspace that the user has allowed, what the last `cargo check` or `cargo build` left is used:
    /// the outputs of build scripts, and the libraries of procedural macros, which run in the toolchain's own server.
    IfAllowed(Allowed),
    /// `cargo check` makes what there has to be: build scripts and procedural macros run, and every program that the
    /// configuration names.
    Trusted,
}

/// The workspaces that the user has allowed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allowed {
    /// The root folders of workspaces, by their canonical paths.
    pub roots: BTreeSet<PathBuf>,
    /// Folders in which every workspace is allowed: the editor's user trusts what is open there.
    pub folders: Vec<PathBuf>,
}

impl Allowed {
    /// Whether the workspace of a root folder, a canonical path, is among them.
    fn has(&self, root: &Path) -> bool {
        let is_around = |folder: &PathBuf| folder.canonicalize().is_ok_and(|it| root.starts_with(it));
        self.roots.contains(root) || self.folders.iter().any(is_around)
    }
}

impl Trust {
    /// Whether what a build left in a workspace may be used; else why not.
    pub(super) fn uses_builds_of(&self, workspace: &Path) -> Result<(), MissingArtefactReason> {
        let root = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
        match self {
            Trust::Untrusted => Err(MissingArtefactReason::Untrusted),
            Trust::IfAllowed(allowed) if !allowed.has(&root) => Err(MissingArtefactReason::NotAllowed(root)),
            Trust::IfAllowed(_) | Trust::Trusted => Ok(()),
        }
    }
}

/// What a build makes of a package, that is not there or not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingArtefact {
    /// Why.
    pub why: MissingArtefactReason,
    /// Which of the package's.
    pub what: ArtefactKind,
    /// The package's name.
    pub package: String,
}

/// What it is that a build makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArtefactKind {
    /// The output of the build script: cfgs, variables, files. Without it none of its cfgs is set.
    BuildScript,
    /// The library of procedural macros. Without it they are not expanded.
    Macros,
}

/// Why something is not there, or not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingArtefactReason {
    /// It was not to be used: [`Trust::Untrusted`].
    Untrusted,
    /// The user has not allowed the workspace of this root.
    NotAllowed(PathBuf),
    /// No build has left it.
    NotBuilt,
    /// It was used, and is older than this file.
    Older(String),
    /// It is there and cannot be used; with a word about it.
    Unusable(String),
}

/// A library of procedural macros that was loaded: its code runs, in the toolchain's server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoadedMacros {
    /// The package's name.
    pub package: String,
    /// The library, relative to the workspace if it lies there.
    pub library: PathBuf,
}

impl fmt::Display for ArtefactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArtefactKind::BuildScript => "build script",
            ArtefactKind::Macros => "macros",
        })
    }
}
