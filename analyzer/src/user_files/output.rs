//! A file that the user names, such as a report.
//!
//! The folders of its path may lie in the repository that is checked, which must not lead the write elsewhere. So they are
//! opened one by one, and no link among them is followed. Links in the root folder, such as `/tmp` on macOS, are the
//! system's.

use super::{draft_name, handle::Handle};
use crate::escape;
use std::{
    ffi::OsStr,
    io::{self, ErrorKind, Write as _},
    path::{Component, Path, PathBuf},
};

/// Ends of names that are never replaced: sources, manifests, and what cargo and rustup read beside them.
const KEPT: [&str; 4] = [".rs", ".toml", "cargo.lock", "rust-toolchain"];

/// A file that will be written, in a folder that is open.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    folder: Handle,
    name: String,
}

impl OutputFile {
    /// Opens the folder of a file.
    ///
    /// # Errors
    ///
    /// If there is no such folder, if a link is on the way to it, or if something is there that is no regular file, or that
    /// looks like a source or manifest.
    pub fn at(path: &Path) -> io::Result<OutputFile> {
        let refused = |why: &str| {
            io::Error::new(ErrorKind::InvalidInput, format!("{} cannot be written: {why}", escape::path(path)))
        };
        let name = path.file_name().and_then(OsStr::to_str).ok_or_else(|| refused("it names no file"))?.to_owned();
        let folder = open_folder(path.parent().unwrap_or(Path::new(""))).map_err(|(at, error)| {
            let at = escape::path(at.strip_prefix(".").unwrap_or(&at));
            let why = match error.kind() {
                ErrorKind::NotFound => format!("there is no folder {at}; make it first"),
                _ => format!("{at}: {error}"),
            };
            refused(&why)
        })?;
        if folder.is_special(&name)? {
            return Err(refused("it is a link, a folder or a special file"));
        }
        // Some file systems ignore case.
        if KEPT.iter().any(|end| name.to_lowercase().ends_with(end)) {
            return Err(refused("it looks like a source or a manifest; give the report another name"));
        }
        Ok(OutputFile { path: path.to_owned(), folder, name })
    }

    /// Writes the file, whole or not at all. An earlier file is replaced.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or if a link or folder is there by now.
    pub fn write(&self, content: &[u8]) -> io::Result<()> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", escape::path(&self.path)));
        if self.folder.is_special(&self.name).map_err(named)? {
            return Err(named(io::Error::new(ErrorKind::InvalidInput, "it is a link, a folder or a special file")));
        }
        let draft = draft_name()?;
        let mut file = self.folder.create_new_shared(&draft).map_err(named)?;
        let written = file.write_all(content).and_then(|()| self.folder.rename(&draft, &self.name));
        written.map_err(|error| {
            // A disk that is full has room for no draft.
            let _ = self.folder.remove(&draft);
            named(error)
        })
    }
}

/// Opens a folder; the error names the part of its path that is at fault.
fn open_folder(path: &Path) -> Result<Handle, (PathBuf, io::Error)> {
    // What is below the working folder may be the repository's, also if the path is absolute.
    let working = std::env::current_dir().ok().filter(|_| path.is_absolute());
    let below = working.as_ref().and_then(|working| path.strip_prefix(working).ok());
    let (start, rest) = match (below, path.is_absolute()) {
        (Some(below), _) => (PathBuf::from("."), below),
        (None, true) => system_part(path),
        (None, false) => (PathBuf::from("."), path),
    };
    let mut folder = Handle::open(&start).map_err(|error| (start.clone(), error))?;
    let mut at = start;
    for part in rest.components().filter(|part| !matches!(part, Component::CurDir)) {
        at.push(part);
        folder = folder.existing_folder(part.as_os_str()).map_err(|error| (at.clone(), error))?;
    }
    Ok(folder)
}

/// The root and the folder in it, of which a repository has no part, and the rest.
fn system_part(path: &Path) -> (PathBuf, &Path) {
    let mut parts = path.components();
    let mut start = PathBuf::new();
    for part in parts.by_ref() {
        start.push(part);
        if matches!(part, Component::Normal(_)) {
            break;
        }
    }
    (start, parts.as_path())
}
