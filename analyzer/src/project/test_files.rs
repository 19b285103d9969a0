//! The files that tests find: cargo starts them in the folder of their package. They are part of what is checked, as
//! sources are. What builds leave is not, nor is the history of a repository.

use super::{InputPath, known_paths::KnownFolder};
use interp::environment::KnownPath;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Maximum number of paths and bytes that are remembered. What is beyond is looked up again each time, and the result of
/// the check is not kept.
const MAX_PATHS: usize = 100_000;
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
    is_over: bool,
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
        if let Some(state) = known.paths.get(path) {
            return state.clone();
        }
        let state = self.folder.at(path);
        match known.paths.len() < MAX_PATHS {
            true => drop(known.paths.insert(path.to_owned(), state.clone())),
            false => known.is_over = true,
        }
        state
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
        let bytes = self.folder.bytes(path);
        let len = bytes.as_ref().map_or(0, Vec::len);
        match known.files.len() < MAX_PATHS && len <= MAX_BYTES - known.bytes {
            true => {
                known.bytes += len;
                known.files.insert(path.to_owned(), bytes.clone());
            }
            false => known.is_over = true,
        }
        bytes
    }

    /// The paths that were looked up; `None` if not all are remembered.
    pub(super) fn looked_at(&self) -> Option<Vec<InputPath>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_over {
            return None;
        }
        let input = |(path, state): (&PathBuf, &Option<KnownPath>)| InputPath {
            path: path.clone(),
            // All names in a folder count, not only those of sources.
            by_time: matches!(state, Some(KnownPath::Folder(_))),
        };
        Some(known.paths.iter().map(input).collect())
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
