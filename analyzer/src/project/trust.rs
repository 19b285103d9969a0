//! What of a project may run (design §4, "Trust"), and what is unknown because it did not.

use std::fmt;

/// How much of what belongs to a project runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trust {
    /// Nothing, and nothing that a build made is used.
    #[default]
    Untrusted,
    /// Nothing is built. What the last `cargo check` or `cargo build` left is used: the outputs of build scripts, and the
    /// libraries of procedural macros, which run in the toolchain's own server.
    Artefacts,
    /// `cargo check` makes what there has to be: build scripts and procedural macros run.
    Trusted,
}

/// What a build makes of a package, that is not there or not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unbuilt {
    /// Why.
    pub why: Why,
    /// Which of the package's.
    pub what: Makes,
    /// The package's name.
    pub package: String,
}

/// What it is that a build makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Makes {
    /// The output of the build script: cfgs, variables, files. Without it none of its cfgs is set.
    BuildScript,
    /// The library of procedural macros. Without it they are not expanded.
    Macros,
}

/// Why something is not there, or not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It was not to be used: [`Trust::Untrusted`].
    Untrusted,
    /// No build has left it.
    NotBuilt,
    /// It was used, and is older than this file.
    Older(String),
    /// It is there and cannot be used; with a word about it.
    Unusable(String),
}

impl fmt::Display for Makes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Makes::BuildScript => "build script",
            Makes::Macros => "macros",
        })
    }
}
