//! Which files are part of a project. Links in a repository, and paths in its sources and manifests, can lead to any file
//! of the user's. What is in such a file must not get into a report, so it is not read as one of the project's. Neither is
//! what git keeps in `.git`: its configuration may hold a token.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// Files that only Rust's tools read: what cargo and rustc follow to elsewhere is a package, and no secret.
const OF_PACKAGES: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    ".cargo-checksum.json",
    "rust-project.json",
    ".rust-project.json",
    "rust-toolchain",
    "rust-toolchain.toml",
];

/// The folders of a project.
#[derive(Debug, Clone, Default)]
pub struct OwnFolders {
    /// Those of the project itself: every file of it can use theirs.
    shared: Vec<PathBuf>,
    /// All, and those of packages, as they are named and without links: only a package's own files can use its folder.
    packages: Vec<(PathBuf, PathBuf)>,
}

impl OwnFolders {
    /// These folders, as far as they exist.
    pub fn new<'a>(folders: impl IntoIterator<Item = &'a Path>) -> OwnFolders {
        let own = OwnFolders::default().with_packages(folders);
        OwnFolders { shared: own.packages.iter().map(|(_, real)| real.clone()).collect(), ..own }
    }

    /// The same, with the folders of packages.
    pub fn with_packages<'a>(mut self, folders: impl IntoIterator<Item = &'a Path>) -> OwnFolders {
        self.packages.extend(folders.into_iter().filter_map(|it| Some((it.to_owned(), it.canonicalize().ok()?))));
        self.packages.sort();
        self.packages.dedup();
        self
    }

    /// Whether the file that the file `by` leads to lies in these folders. One that does not exist does.
    pub fn contain(&self, by: &Path, file: &Path) -> bool {
        let Ok(real) = file.canonicalize() else { return true };
        // The innermost package: one around it belongs to somebody else.
        let package =
            self.packages.iter().filter(|(named, _)| by.starts_with(named)).max_by_key(|(it, _)| it.as_os_str().len());
        self.shared.iter().chain(package.map(|(_, real)| real)).any(|folder| is_in(&real, folder))
    }

    /// Whether a file is the project's: it lies in the project's own folders, or is really a source file or a manifest, as
    /// those of a dependency elsewhere.
    pub fn have(&self, file: &Path) -> bool {
        let is_link = fs::symlink_metadata(file).is_ok_and(|data| data.is_symlink());
        if !is_link && is_of_package(file) {
            return true;
        }
        let Ok(real) = file.canonicalize() else { return true };
        is_of_package(&real) || self.shared.iter().any(|folder| is_in(&real, folder))
    }
}

/// Whether a path lies in a folder, and not in what git keeps there. Neither has links.
pub(super) fn is_in(real: &Path, folder: &Path) -> bool {
    real.strip_prefix(folder).is_ok_and(|inner| inner.components().all(|it| it.as_os_str() != ".git"))
}

fn is_of_package(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "rs")
        || file.file_name().and_then(OsStr::to_str).is_some_and(|it| OF_PACKAGES.contains(&it))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_is_inside() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in [
            "w/.git/config",
            "w/a/x",
            "w/b/x",
            "dep/x",
            "dep/src/lib.rs",
            "y",
            "else/x",
            "else/y.rs",
            "else/Cargo.toml",
        ] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "").unwrap();
        }
        symlink(at("else"), at("w/a/link")).unwrap();
        symlink(at("w/b/x"), at("w/a/near")).unwrap();
        symlink(at("else/x"), at("w/a/far.rs")).unwrap();
        symlink(at("else/y.rs"), at("w/a/source.rs")).unwrap();
        symlink(at("w/.git"), at("w/a/git")).unwrap();
        symlink(at("else/Cargo.toml"), at("w/a/Cargo.toml")).unwrap();
        symlink(at("else/x"), at("w/a/Cargo.lock")).unwrap();
        let own = OwnFolders::new([at("w").as_path()]).with_packages([at("dep").as_path(), folder.path()]);
        let by = at("w/a/src/main.rs");
        for inside in ["w/a/x", "w/a/near", "w/none", "w/a/../b/x"] {
            assert!(own.contain(&by, &at(inside)), "{inside}");
        }
        for outside in [
            "w/.git/config",
            "w/a/git/config",
            "else/x",
            "w/a/link/x",
            "w/a/far.rs",
            "w/a/source.rs",
            "w/../else/x",
            "dep/x",
            "y",
        ] {
            assert!(!own.contain(&by, &at(outside)), "{outside}");
        }
        assert!(own.contain(&at("dep/src/lib.rs"), &at("dep/x")) && !own.contain(&at("dep/src/lib.rs"), &at("y")));
        for (path, is_own) in [
            ("w/a/far.rs", false),
            ("w/a/git/config", false),
            ("w/a/Cargo.lock", false),
            ("w/a/source.rs", true),
            ("w/a/Cargo.toml", true),
        ] {
            assert_eq!(own.have(&at(path)), is_own, "{path}");
        }
        assert!(
            own.have(&at("dep/src/lib.rs"))
                && own.have(&at("w/a/x"))
                && !own.have(&at("else/x"))
                && !own.have(&at("y"))
        );
    }
}
