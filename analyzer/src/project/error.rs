//! Why a project could not be loaded at all.

use crate::escape;
use std::fmt;
use std::path::PathBuf;

/// Why a link is not followed.
pub(super) const A_LINK: &str = "a link to outside of the project";

/// Why a project could not be loaded: what happened, where, and what to do.
#[derive(Debug)]
pub enum LoadError {
    /// Nothing exists at this path.
    NotFound(PathBuf),
    /// The file or folder exists but cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// It is not a regular file.
    NotAFile(PathBuf),
    /// A link, or a path that the project names, leads out of the project.
    LeavesProject(PathBuf),
    /// The file is larger than this many bytes.
    TooLarge(PathBuf, u64),
    /// The file is not UTF-8; the number is the position of its first bad byte.
    NotUtf8(PathBuf, usize),
    /// The path is neither a package nor Rust source.
    NoManifest(PathBuf),
    /// The path is not UTF-8, which rust-analyzer requires.
    PathNotUtf8(PathBuf),
    /// `cargo` cannot be run.
    NoCargo(std::io::Error),
    /// A `rust-project.json` is broken; with the reason.
    BrokenProject(PathBuf, String),
    /// Features were given for a project that has none.
    NoFeatures(PathBuf),
    /// The platform is unknown or not supported; with the reason.
    Platform(String, String),
    /// The manifest, or that of a dependency, is broken; with cargo's message.
    BrokenManifest(PathBuf, String),
    /// A configuration file of cargo's cannot be used; with the reason.
    BrokenConfiguration(PathBuf, String),
    /// The workspace's `tsvd.toml` is wrong: the whole text, with the place.
    Config(String),
    /// cargo would read more than this package can need; with the cause.
    Endless(PathBuf, String),
    /// A folder for cargo's own files could not be made.
    NoScratch(std::io::Error),
    /// A panic: a bug of ours or of rust-analyzer's.
    Internal(String),
}

impl LoadError {
    /// The reason, without the path.
    pub(super) fn reason(&self) -> String {
        match self {
            LoadError::NotAFile(_) => "not a regular file".to_owned(),
            LoadError::LeavesProject(path) if path.is_symlink() => A_LINK.to_owned(),
            LoadError::LeavesProject(_) => "outside of the project".to_owned(),
            LoadError::TooLarge(_, bytes) => format!("larger than {} MiB", bytes >> 20),
            LoadError::Unreadable(_, error) => error.to_string(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotFound(path) => write!(f, "no such file or folder: {}", escape::path(path)),
            LoadError::Unreadable(path, error) => {
                write!(f, "cannot read {}: {error}", escape::path(path))
            }
            LoadError::NotAFile(path) => write!(f, "{} is not a regular file", escape::path(path)),
            LoadError::LeavesProject(path) => {
                write!(f, "{} leads out of the project: replace the link or path by a file", escape::path(path))
            }
            LoadError::TooLarge(path, bytes) => {
                write!(f, "{} is larger than {} MiB", escape::path(path), bytes >> 20)
            }
            LoadError::NotUtf8(path, byte) => {
                write!(f, "{} is not UTF-8 (byte {byte}): save it as UTF-8", escape::path(path))
            }
            LoadError::NoManifest(path) => write!(
                f,
                "no Cargo.toml or rust-project.json in {}: give a package's folder, its Cargo.toml, a rust-project.json, \
                 or a single .rs file",
                escape::path(path)
            ),
            LoadError::PathNotUtf8(path) => {
                write!(f, "the path {} is not UTF-8: rename it", escape::path(path))
            }
            LoadError::NoCargo(error) => {
                write!(
                    f,
                    "cannot run cargo: {error}; install Rust or put cargo on the PATH, or check a single .rs file"
                )
            }
            LoadError::BrokenProject(path, message) | LoadError::BrokenConfiguration(path, message) => {
                write!(f, "cannot use {}: {}", escape::path(path), escape::line(message))
            }
            LoadError::NoFeatures(path) => {
                write!(f, "{} has no features: its own file says what each crate is built with", escape::path(path))
            }
            LoadError::Platform(triple, why) => {
                write!(f, "cannot analyse for `{}`: {}", escape::line(triple), escape::line(why))
            }
            LoadError::BrokenManifest(path, message) => {
                write!(f, "cargo cannot read {}: {message}", escape::path(path))
            }
            LoadError::Endless(path, what) => {
                let (path, what) = (escape::path(path), escape::line(what));
                write!(f, "cannot load {path}: {what}; remove the path or link that leads there")
            }
            LoadError::NoScratch(error) => {
                write!(f, "cannot make a temporary folder: {error}; set TMPDIR to a folder that can be written")
            }
            LoadError::Config(message) => f.write_str(&escape::line(message)),
            LoadError::Internal(message) => write!(f, "{message}"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Unreadable(_, error) | LoadError::NoCargo(error) | LoadError::NoScratch(error) => Some(error),
            _ => None,
        }
    }
}
