//! The files that tests find: cargo starts them in the folder of their package. They are part of what is checked, as
//! sources are. The target folder and the history of a repository are not.

use super::{InputPath, known_paths::KnownFolder};
use interp::environment::KnownPath;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Maximum number of paths and bytes that are remembered. Others are looked up again each time, and the result of the
/// check is not kept.
const MAX_PATHS: usize = 100_000;
const MAX_BYTES: usize = 64 << 20;
/// Size of an entry without the bytes of its path.
const PATH_SIZE: usize = 96;

/// The files of a workspace. Each path is looked up once, so all runs find the same.
#[derive(Debug)]
pub(crate) struct TestFiles {
    /// The folder of the workspace, as programs name it.
    root: PathBuf,
    folder: KnownFolder,
    known: Mutex<Lookups>,
}

#[derive(Debug, Default)]
struct Lookups {
    paths: Memory<KnownPath>,
    files: Memory<Vec<u8>>,
}

/// Results of lookups, as many as are remembered.
#[derive(Debug)]
struct Memory<T> {
    found: BTreeMap<PathBuf, Option<T>>,
    bytes: usize,
    is_over: bool,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Memory { found: BTreeMap::new(), bytes: 0, is_over: false }
    }
}

impl<T: Clone> Memory<T> {
    /// The result for a path; `size` is the number of bytes that a result takes.
    fn find(&mut self, path: &Path, look: impl FnOnce() -> Option<T>, size: impl FnOnce(&T) -> usize) -> Option<T> {
        if let Some(result) = self.found.get(path) {
            return result.clone();
        }
        let result = look();
        let size = result.as_ref().map_or(0, size) + path.as_os_str().len() + PATH_SIZE;
        if self.found.len() < MAX_PATHS && size <= MAX_BYTES - self.bytes {
            self.bytes += size;
            self.found.insert(path.to_owned(), result.clone());
        } else {
            self.is_over = true;
        }
        result
    }
}

impl TestFiles {
    /// The files of a workspace; `None` if it has no folder.
    pub(super) fn new(root: &Path, target: &Path) -> Option<TestFiles> {
        let folder = KnownFolder::new(root, Some(target))?;
        Some(TestFiles { root: root.to_owned(), folder, known: Mutex::default() })
    }

    /// The file or folder at a path; `None` if it is not known.
    pub(crate) fn at(&self, path: &Path) -> Option<KnownPath> {
        let size = |state: &KnownPath| match state {
            KnownPath::Folder(names) => names.iter().map(|it| it.len() + size_of::<Vec<u8>>()).sum(),
            KnownPath::Nothing | KnownPath::File => 0,
        };
        self.known(path)?.paths.find(path, || self.folder.at(path), size)
    }

    /// The bytes of a file; `None` if they are not known.
    pub(crate) fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        self.known(path)?.files.find(path, || self.folder.bytes(path), Vec::len)
    }

    /// The paths that were looked up; `None` if not all are remembered.
    pub(super) fn looked_at(&self) -> Option<Vec<InputPath>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.paths.is_over || known.files.is_over {
            return None;
        }
        let input = |(path, state): (&PathBuf, &Option<KnownPath>)| InputPath {
            path: path.clone(),
            // All names in a folder count, not only those of sources.
            by_time: matches!(state, Some(KnownPath::Folder(_))),
        };
        Some(known.paths.found.iter().map(input).collect())
    }

    /// Looks everything up again from now on.
    pub(super) fn forget(&self) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Lookups::default();
    }

    /// The results so far, if the path is one that tests find.
    fn known(&self, path: &Path) -> Option<MutexGuard<'_, Lookups>> {
        path.starts_with(&self.root).then(|| self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
