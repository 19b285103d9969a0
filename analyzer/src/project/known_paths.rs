//! The files in a folder of the user's that an interpreted program may read.

use super::read;
use interp::environment::KnownPath;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum size of a file that a program reads, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// Maximum number of names in a folder that a program lists.
const MAX_NAMES: usize = 10_000;

/// A folder; nothing outside of it is read, wherever links in it lead.
#[derive(Debug)]
pub(super) struct KnownFolder {
    /// Its path without links.
    real: PathBuf,
}

impl KnownFolder {
    /// The folder at a path; `None` if it is not there.
    pub(super) fn new(path: &Path) -> Option<KnownFolder> {
        Some(KnownFolder { real: path.canonicalize().ok()? })
    }

    /// The file or folder at a path; `None` if it leads out of the folder, is too large, or is neither a file nor a folder.
    pub(super) fn at(&self, path: &Path) -> Option<KnownPath> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(KnownPath::Nothing),
            Err(_) => return None,
        };
        if !real.starts_with(&self.real) {
            return None;
        }
        let data = fs::metadata(&real).ok()?;
        if !data.is_dir() {
            return (data.is_file() && data.len() <= MAX_FILE).then_some(KnownPath::File);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&real).ok()?.take(MAX_NAMES + 1) {
            names.push(entry.ok()?.file_name().into_encoded_bytes());
        }
        names.sort();
        (names.len() <= MAX_NAMES).then_some(KnownPath::Folder(names))
    }

    /// The bytes of a file; `None` unless [`KnownFolder::at`] knows one there.
    pub(super) fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let real = path.canonicalize().ok().filter(|it| it.starts_with(&self.real))?;
        read::read_file(&real, MAX_FILE).ok()
    }
}
