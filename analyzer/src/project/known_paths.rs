//! The files in a folder of the user's that an interpreted program may read.

use super::{own_folders::is_in, read};
use interp::environment::KnownPath;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum size of a file that a program reads, in bytes.
const MAX_FILE: u64 = 4 << 20;
/// Maximum number of names in a folder that a program lists.
const MAX_NAMES: usize = 10_000;

/// A folder; nothing outside of it is read, wherever links in it lead, and nothing of what git keeps in it.
#[derive(Debug)]
pub(super) struct KnownFolder {
    /// Its path without links.
    real: PathBuf,
    /// A folder in it that is left out.
    without: Option<PathBuf>,
}

impl KnownFolder {
    /// The folder at a path, without the one at another path; `None` if it is not there.
    pub(super) fn new(path: &Path, without: Option<&Path>) -> Option<KnownFolder> {
        let without = without.map(|it| it.canonicalize().unwrap_or_else(|_| it.to_owned()));
        Some(KnownFolder { real: path.canonicalize().ok()?, without })
    }

    fn contains(&self, real: &Path) -> bool {
        is_in(real, &self.real) && self.without.as_ref().is_none_or(|it| !real.starts_with(it))
    }

    /// Whether nothing exists at a path, and not only because a link leads elsewhere: the program may not learn what
    /// exists outside.
    fn is_nothing(&self, path: &Path) -> bool {
        let Some(there) = path.ancestors().find(|it| fs::symlink_metadata(it).is_ok()) else { return false };
        let (Ok(real), Ok(rest)) = (there.canonicalize(), path.strip_prefix(there)) else { return false };
        self.contains(&real.join(rest))
    }

    /// The file or folder at a path; `None` if it leads out of the folder, is too large, or is neither a file nor a folder.
    pub(super) fn at(&self, path: &Path) -> Option<KnownPath> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.is_nothing(path).then_some(KnownPath::Nothing);
            }
            Err(_) => return None,
        };
        if !self.contains(&real) {
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
        let real = path.canonicalize().ok().filter(|it| self.contains(it))?;
        read::read_file(&real, MAX_FILE).ok()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Neither contents nor existence of what lies outside can be told.
    #[test]
    fn what_is_outside_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["outside/there", "own/file", "own/.git/config", "own/target/built"] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "text").unwrap();
        }
        for (target, link) in [("outside", "own/link"), ("outside/none", "own/dangling"), ("own/.git", "own/git")] {
            symlink(at(target), at(link)).unwrap();
        }
        symlink("none", at("own/inner")).unwrap();
        let known = KnownFolder::new(&at("own"), Some(&at("own/target"))).unwrap();
        for path in [
            "outside/there",
            "outside/none",
            "own/link",
            "own/link/there",
            "own/link/none",
            "own/dangling",
            "own/inner",
            "own/.git",
            "own/.git/config",
            "own/.git/none",
            "own/git/config",
            "own/target",
            "own/target/built",
            "own/target/none",
        ] {
            assert_eq!((known.at(&at(path)), known.bytes(&at(path))), (None, None), "{path}");
        }
        assert_eq!(known.at(&at("own/none/below")), Some(KnownPath::Nothing));
        assert_eq!(known.bytes(&at("own/file")).as_deref(), Some(&b"text"[..]));
        fs::remove_dir_all(at("own/target")).unwrap();
        assert_eq!(known.at(&at("own/target/built")), None);
    }
}
