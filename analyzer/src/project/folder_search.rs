//! The search for source files below a folder. It ends whatever the links are.

use super::error::A_LINK;
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Maximum number of names that are looked at for a project.
const MAX_NAMES: usize = 500_000;

/// Maximum number of names under which a folder is visited. Links that double at each level would never end.
const MAX_VISITS: usize = 16;

/// The folders of a project that were searched.
#[derive(Debug, Default)]
pub(super) struct FolderSearch {
    names: usize,
    /// Number of visits of each folder, by its canonical path.
    visits: FxHashMap<PathBuf, usize>,
}

/// The result of a search.
#[derive(Debug, Default)]
pub(super) struct SearchResult {
    /// Folders that were read, and links that were not followed.
    pub(super) folders: Vec<PathBuf>,
    /// Sorted by name.
    pub(super) files: Vec<PathBuf>,
    /// What was left out, and why.
    pub(super) refused: BTreeSet<(PathBuf, String)>,
}

/// Whether a path is wanted; the flag says whether it is a folder.
type PathFilter<'a> = &'a dyn Fn(&Path, bool) -> bool;

impl FolderSearch {
    /// Searches a folder. Links that lead out of all `roots` are not followed.
    pub(super) fn below(&mut self, folder: &Path, roots: &[&Path], chosen: PathFilter<'_>) -> SearchResult {
        let mut found = SearchResult::default();
        let Ok(real) = folder.canonicalize() else { return found };
        let roots: Vec<PathBuf> = roots.iter().filter_map(|it| it.canonicalize().ok()).collect();
        let mut search = Search { sweep: self, roots, chosen, inside: Vec::new(), found: &mut found };
        search.folder(folder, real);
        found
    }
}

struct Search<'a> {
    sweep: &'a mut FolderSearch,
    roots: Vec<PathBuf>,
    chosen: PathFilter<'a>,
    /// Canonical paths of the enclosing folders: a link to one of them is a cycle.
    inside: Vec<PathBuf>,
    found: &'a mut SearchResult,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Path, real: PathBuf) {
        if !(self.chosen)(folder, true) {
            return;
        }
        self.found.folders.push(folder.to_owned());
        let visits = self.sweep.visits.entry(real.clone()).or_default();
        *visits += 1;
        if *visits > MAX_VISITS {
            self.refuse(folder, "links lead to this folder repeatedly");
            return;
        }
        if self.inside.contains(&real) {
            return;
        }
        if is_of_kernel(folder) {
            self.refuse(folder, "a file system of the kernel's");
            return;
        }
        // A file that cannot be read is later reported as a missing module.
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut names = Vec::new();
        for entry in entries.flatten() {
            self.sweep.names += 1;
            if self.sweep.names > MAX_NAMES {
                self.refuse(folder, "the project has more than 500000 files and folders");
                return;
            }
            names.push(entry.file_name());
        }
        names.sort();
        self.inside.push(real.clone());
        for name in names {
            let path = folder.join(&name);
            let Ok(data) = fs::symlink_metadata(&path) else { continue };
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            let (is_folder, real) = if data.is_symlink() {
                // A dangling link is not part of the program.
                let Ok(target) = path.canonicalize() else { continue };
                let is_folder = target.is_dir();
                if is_hidden && is_folder || !(self.chosen)(&path, is_folder) {
                    continue;
                }
                if !self.roots.iter().any(|root| target.starts_with(root)) {
                    self.found.folders.push(path.clone());
                    self.refuse(&path, A_LINK);
                    continue;
                }
                (is_folder, target)
            } else {
                (data.is_dir(), real.join(&name))
            };
            if !is_folder {
                if (self.chosen)(&path, false) {
                    self.found.files.push(path);
                }
            } else if !is_hidden {
                self.folder(&path, real);
            }
        }
        self.inside.pop();
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        self.found.refused.insert((path.to_owned(), why.to_owned()));
    }
}

/// Whether a folder describes processes or devices. Such folders contain all others, and their names do not end.
#[cfg(target_os = "linux")]
fn is_of_kernel(folder: &Path) -> bool {
    // From the kernel's `linux/magic.h`: proc, sysfs, cgroup, cgroup2, debugfs, tracefs.
    const KINDS: [u64; 6] = [0x9fa0, 0x6265_6572, 0x0027_e0eb, 0x6367_7270, 0x6462_6720, 0x7472_6163];
    rustix::fs::statfs(folder).is_ok_and(|it| KINDS.contains(&(it.f_type as u64)))
}

#[cfg(not(target_os = "linux"))]
fn is_of_kernel(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// The names of the files found below `p`, and of the refused ones.
    fn search(links: &[(&str, &str)], files: &[&str]) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        files.iter().for_each(|path| fs::write(at(path), "").unwrap());
        links.iter().for_each(|(path, target)| symlink(target, at(path)).unwrap());
        let root = folder.path().join("p");
        let found = FolderSearch::default()
            .below(&root, &[&root], &|path, is_folder| is_folder || path.extension().is_some_and(|it| it == "rs"));
        let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        (found.files.iter().map(name).collect(), found.refused.iter().map(|(path, _)| name(path)).collect())
    }

    #[test]
    fn links_inside_are_followed_and_others_are_not() {
        let files = ["p/src/a.rs", "p/common/b.rs", "other/c.rs", "p/src/d.txt"];
        let links = [
            ("p/src/common", "../common"),
            ("p/src/e.rs", "a.rs"),
            ("p/src/all", "/"),
            ("p/src/other", "../../other"),
            ("p/src/c.rs", "../../other/c.rs"),
            ("p/src/none.rs", "nowhere"),
            ("p/src/.git", ".."),
        ];
        let (found, refused) = search(&links, &files);
        assert_eq!(found, ["common/b.rs", "src/a.rs", "src/common/b.rs", "src/e.rs"]);
        assert_eq!(refused, ["src/all", "src/c.rs", "src/other"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processes_are_no_sources() {
        let root = Path::new("/proc");
        let found = FolderSearch::default().below(root, &[root], &|_, _| true);
        assert!(found.files.is_empty() && found.refused.len() == 1, "{:?}", found.refused);
    }

    #[test]
    fn circles_and_doublings_end() {
        let (found, refused) = search(&[("p/a/up", ".."), ("p/a/self", ".")], &["p/a/x.rs"]);
        assert_eq!((found, refused), (vec!["a/x.rs".to_owned()], vec![]));
        let links: Vec<(String, String)> = (0..30)
            .flat_map(|it| ["l", "m"].map(|name| (format!("p/d{it}/{name}"), format!("../d{}", it + 1))))
            .collect();
        let links: Vec<(&str, &str)> = links.iter().map(|(path, target)| (path.as_str(), target.as_str())).collect();
        let (found, refused) = search(&links, &["p/d30/x.rs"]);
        assert!(found.len() <= MAX_VISITS && !refused.is_empty(), "{found:?}");
    }
}
