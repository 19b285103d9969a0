//! The files that tests find: cargo starts them in the folder of their package. They are part of what is checked, as
//! sources are. What builds leave is not, nor is the history of a repository.

use super::{InputPath, known_paths::KnownFolder};
use interp::environment::KnownPath;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Maximum number of bytes of all files together.
const MAX_BYTES: usize = 64 << 20;

/// The files of a workspace. What exists at a path is looked up once: all runs find the same.
#[derive(Debug)]
pub(crate) struct TestFiles {
    /// The folder of the workspace, as programs name it.
    root: PathBuf,
    folder: KnownFolder,
    /// The folder of what builds leave.
    target: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    paths: BTreeMap<PathBuf, Option<KnownPath>>,
    files: BTreeMap<PathBuf, Option<Vec<u8>>>,
    bytes: usize,
}

impl TestFiles {
    /// The files of a workspace; `None` if it has no folder.
    pub(super) fn new(root: &Path, target: &Path) -> Option<TestFiles> {
        let folder = KnownFolder::new(root)?;
        Some(TestFiles { root: root.to_owned(), folder, target: target.to_owned(), known: Mutex::default() })
    }

    /// What exists at a path; `None` if that is not known.
    pub(crate) fn at(&self, path: &Path) -> Option<KnownPath> {
        if !self.has(path) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.paths.entry(path.to_owned()).or_insert_with(|| self.folder.at(path)).clone()
    }

    /// The bytes of a file; `None` if they are not known.
    pub(crate) fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        if !self.has(path) {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known.files.get(path) {
            return bytes.clone();
        }
        let room = MAX_BYTES - known.bytes;
        let bytes = self.folder.bytes(path).filter(|it| it.len() <= room);
        known.bytes += bytes.as_ref().map_or(0, Vec::len);
        known.files.insert(path.to_owned(), bytes.clone());
        bytes
    }

    /// The paths that were looked up.
    pub(super) fn looked_at(&self) -> Vec<InputPath> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let input = |(path, state): (&PathBuf, &Option<KnownPath>)| InputPath {
            path: path.clone(),
            // All names in a folder count, not only those of sources.
            by_time: matches!(state, Some(KnownPath::Folder(_))),
        };
        known.paths.iter().map(input).collect()
    }

    /// Looks everything up again from now on.
    pub(super) fn forget(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }

    fn has(&self, path: &Path) -> bool {
        let Ok(inner) = path.strip_prefix(&self.root) else { return false };
        !path.starts_with(&self.target) && inner.components().all(|it| it.as_os_str() != ".git")
    }
}
