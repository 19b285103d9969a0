//! Hashes of files and folders, used to detect changes.

use crate::project::open_regular;
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read as _},
    path::Path,
};

/// A cryptographic hash of some content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(blake3::Hash);

impl ContentHash {
    /// The hash of a text.
    pub fn of(text: &str) -> ContentHash {
        ContentHash(blake3::hash(text.as_bytes()))
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> String {
        hash.0.to_hex().to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = blake3::HexError;

    fn try_from(text: String) -> Result<ContentHash, blake3::HexError> {
        blake3::Hash::from_hex(text).map(ContentHash)
    }
}

/// Length and hash of a regular file.
///
/// # Errors
///
/// If it cannot be read, is longer than `limit`, or is not a regular file.
pub fn hash_file(path: &Path, limit: u64) -> io::Result<(u64, ContentHash)> {
    let file = open_regular(path)?.ok_or(io::ErrorKind::InvalidInput)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(limit.saturating_add(1)))?;
    match hasher.count() {
        length if length > limit => Err(io::ErrorKind::FileTooLarge.into()),
        length => Ok((length, ContentHash(hasher.finalize()))),
    }
}

/// The names in a folder that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// Those of source files and folders, by which modules and targets are found, without the folders that cargo writes to.
    Sources,
    /// All: a program that lists the folder sees them.
    All,
}

/// Hash of names in a folder.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn hash_names(folder: &Path, which: Names) -> io::Result<ContentHash> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_other = which == Names::All || name != "target" && !name.as_encoded_bytes().starts_with(b".");
        let is_source = Path::new(&name).extension() == Some(OsStr::new("rs"));
        if !is_source && !is_other {
            continue;
        }
        // A link counts as its target.
        let is_folder = match entry.file_type()? {
            kind if kind.is_symlink() => entry.path().is_dir(),
            kind => kind.is_dir(),
        };
        if is_source || which == Names::All || is_folder {
            names.push((name, is_folder));
        }
    }
    names.sort();
    let mut hasher = blake3::Hasher::new();
    for (name, is_folder) in names {
        let name = name.as_encoded_bytes();
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name).update(&[u8::from(is_folder)]);
    }
    Ok(ContentHash(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_bounded_length() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "text").unwrap();
        fs::write(at("b"), "next").unwrap();
        let (length, hash) = hash_file(&at("a"), 4).unwrap();
        assert_eq!(length, 4);
        assert_ne!(hash, hash_file(&at("b"), 4).unwrap().1);
        assert_eq!(ContentHash::try_from(String::from(hash)).ok(), Some(hash));
        hash_file(&at("a"), 3).unwrap_err();
        hash_file(&at("c"), 3).unwrap_err();
        hash_file(folder.path(), 3).unwrap_err();
    }

    #[test]
    fn names_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let hashes = || [Names::Sources, Names::All].map(|which| hash_names(folder.path(), which).unwrap());
        let changes = |change: &dyn Fn()| {
            let [names, whole] = hashes();
            change();
            [names != hashes()[0], whole != hashes()[1]]
        };
        assert_eq!(changes(&|| fs::write(at("a.rs"), "").unwrap()), [true, true]);
        assert_eq!(changes(&|| fs::write(at("a.rs"), "x").unwrap()), [false, false]);
        assert_eq!(changes(&|| fs::write(at("a"), "").unwrap()), [false, true]);
        assert_eq!(changes(&|| fs::create_dir(at("b")).unwrap()), [true, true]);
        assert_eq!(changes(&|| fs::create_dir(at("target")).unwrap()), [false, true]);
        assert_eq!(changes(&|| fs::create_dir(at(".git")).unwrap()), [false, true]);
        let becomes_folder = || {
            fs::remove_file(at("a.rs")).unwrap();
            fs::create_dir(at("a.rs")).unwrap();
        };
        assert_eq!(changes(&becomes_folder), [true, true]);
        hash_names(&at("c"), Names::Sources).unwrap_err();
    }
}
