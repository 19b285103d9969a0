//! The files of a project: embedded ones in memory, and those read from disk.

mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ra_ap_base_db::{FileId, SourceRoot};
use ra_ap_load_cargo::ProjectFolders;
use ra_ap_paths::{AbsPath, AbsPathBuf};
use ra_ap_span::Edition;
use ra_ap_vfs::{Vfs, VfsPath, file_set::FileSet, loader};

use rustc_hash::FxHashMap;

use super::{
    LoadError, OwnFolders,
    folder_search::FolderSearch,
    includes,
    locations::{relative, short_path},
    read::{self, MAX_MANIFEST, MAX_SOURCE},
};
use crate::std_tree;

/// A file of a crate that has no manifest.
pub(super) struct SourceText {
    pub(super) path: AbsPathBuf,
    pub(super) text: String,
    /// It belongs to the crate only because another file includes it.
    pub(super) is_included: bool,
    /// It is Rust source.
    pub(super) is_code: bool,
}

/// A path that a project depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPath {
    /// The path.
    pub path: PathBuf,
    /// Whether a new modification time alone counts as a change; for a folder, whether any change of its names does.
    pub by_time: bool,
}

/// The files of a project and how their paths are shown.
pub(super) struct Files {
    vfs: Vfs,
    std: FileSet,
    /// Files of crates that are made here: the examples and stubs of libraries.
    virtual_files: FileSet,
    /// Source roots besides std's: their files, and whether they are the user's own.
    roots: Vec<(FileSet, bool)>,
    /// Files of the user's that are not UTF-8; they count as empty.
    not_utf8: Vec<(FileId, usize)>,
    /// Files that are nested too deep, with the line; they count as empty.
    too_deep: Vec<(FileId, usize)>,
    /// The folders whose files are read.
    own: OwnFolders,
    /// Folders of dependencies of edition 2015.
    old: Vec<AbsPathBuf>,
    /// The workspace's folder: cargo compiles with paths that are relative to it.
    base: Option<AbsPathBuf>,
    /// The current folder: paths are shown relative to it.
    current: Option<AbsPathBuf>,
    /// Files that are only included, and are not source files.
    included: Vec<FileId>,
    /// Those that are Rust.
    included_code: Vec<FileId>,
    /// Each file that includes another, with that one.
    inclusions: Vec<(AbsPathBuf, FileId)>,
    /// How the files of a crate without manifest are shown.
    given: Vec<(FileId, String)>,
    /// All paths that were looked at, including those that do not exist.
    looked_at: BTreeSet<PathBuf>,
    /// Paths whose modification time counts; for folders, all names in them.
    dated: BTreeSet<PathBuf>,
    /// The search for source files.
    sweep: FolderSearch,
    /// What was not read, and why.
    refused: BTreeSet<(PathBuf, String)>,
    /// Number of bytes that were read.
    bytes: u64,
    /// The files by shown path; filled on first use.
    by_name: OnceLock<FxHashMap<String, FileId>>,
}

impl Files {
    /// Only the embedded files.
    pub(super) fn with_std() -> Files {
        let mut vfs = Vfs::default();
        let mut std = FileSet::default();
        for (path, text) in std_tree::files() {
            let path = std_tree::virtual_path(&path);
            vfs.set_file_contents(path.clone(), Some(text.into_bytes()));
            if let Some((file, _)) = vfs.file_id(&path) {
                std.insert(file, path);
            }
        }
        Files {
            vfs,
            std,
            virtual_files: FileSet::default(),
            roots: Vec::new(),
            not_utf8: Vec::new(),
            too_deep: Vec::new(),
            own: OwnFolders::default(),
            old: Vec::new(),
            base: None,
            current: None,
            included: Vec::new(),
            included_code: Vec::new(),
            inclusions: Vec::new(),
            given: Vec::new(),
            looked_at: BTreeSet::new(),
            dated: BTreeSet::new(),
            sweep: FolderSearch::default(),
            refused: BTreeSet::new(),
            bytes: 0,
            by_name: OnceLock::new(),
        }
    }

    /// The same; only files of these folders are read.
    pub(super) fn within(self, own: OwnFolders) -> Files {
        Files { own, ..self }
    }

    /// Notes a folder of a dependency of edition 2015.
    pub(super) fn add_old(&mut self, folder: &AbsPath) {
        self.old.push(folder.to_path_buf());
    }

    /// Whether the file belongs to a dependency of edition 2015.
    fn is_old(&self, file: FileId) -> bool {
        let path = self.vfs.file_path(file);
        path.as_path().is_some_and(|path| self.old.iter().any(|folder| path.starts_with(folder)))
    }

    /// Whether the file is an embedded one.
    pub(super) fn is_std(&self, file: FileId) -> bool {
        self.std.path_for_file(&file).is_some()
    }

    /// The embedded file at a path below std's root.
    pub(super) fn std_file(&self, path: &str) -> Option<FileId> {
        self.file(&std_tree::virtual_path(path))
    }

    /// The embedded files, in the order of their ids.
    pub(super) fn std_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.std.iter().collect();
        files.sort();
        files
    }

    /// Adds a file for code that is made for a library, such as its `examples`.
    pub(super) fn add_virtual(&mut self, what: &str, library: &str, text: String) -> Option<FileId> {
        let path = VfsPath::new_virtual_path(format!("/{what}/{library}.rs"));
        self.vfs.set_file_contents(path.clone(), Some(text.into_bytes()));
        let file = self.file(&path)?;
        self.virtual_files.insert(file, path);
        Some(file)
    }

    /// The file on disk at a path.
    pub(super) fn at(&self, path: &AbsPath) -> Option<FileId> {
        self.file(&VfsPath::from(path.to_path_buf()))
    }

    pub(super) fn file(&self, path: &VfsPath) -> Option<FileId> {
        self.vfs.file_id(path).map(|(file, _)| file)
    }

    /// Adds the files of a crate without manifest, the root first. It is shown as `given`, the others relative to it.
    pub(super) fn add_single(&mut self, files: Vec<SourceText>, given: &Path) -> Option<FileId> {
        let mut set = FileSet::default();
        let folder = given.parent().unwrap_or(given);
        let root_folder = files.first()?.path.parent()?.to_path_buf();
        let mut root = None;
        for SourceText { path, text, is_included, is_code } in files {
            let relative = path.strip_prefix(&root_folder).map(|path| path.as_str().to_owned());
            let path = VfsPath::from(path);
            self.vfs.set_file_contents(path.clone(), Some(text.into_bytes()));
            let file = self.file(&path)?;
            root.get_or_insert(file);
            if is_included {
                self.included.push(file);
                self.included_code.extend(is_code.then_some(file));
            }
            set.insert(file, path);
            if let Some(relative) = relative {
                self.given.push((file, folder.join(relative).to_string_lossy().into_owned()));
            }
        }
        self.roots.push((set, true));
        root
    }

    /// Reads all Rust files of the folders of the workspace at `base`.
    pub(super) fn add_folders(&mut self, folders: &ProjectFolders, base: &AbsPath) {
        self.base = Some(base.to_path_buf());
        self.current = absolute(Path::new(".")).ok();
        for entry in &folders.load {
            match entry {
                loader::Entry::Files(files) => files.iter().for_each(|file| self.read(file)),
                loader::Entry::Directories(dirs) => {
                    dirs.include.iter().for_each(|dir| self.read_folder(dir, dirs));
                }
            }
        }
        let config = &folders.source_root_config;
        let mut sets: Vec<(FileSet, bool)> = Vec::new();
        for (file, path) in self.vfs.iter() {
            // Virtual paths belong to std.
            if path.as_path().is_none() {
                continue;
            }
            let Some(index) = config.fsc.classify_path(path) else {
                continue;
            };
            if sets.len() <= index {
                sets.resize_with(index + 1, Default::default);
            }
            sets[index].0.insert(file, path.clone());
            sets[index].1 = config.local_filesets.contains(&(index as u64));
        }
        self.roots = sets;
        self.add_included();
    }

    /// Adds what files of the workspace include of its other folders, such as its README: a file is found among those of
    /// the one that includes it.
    fn add_included(&mut self) {
        for (by, included) in std::mem::take(&mut self.inclusions) {
            // A source file stays in the folder whose modules it sees.
            if self.has(included) && !self.included.contains(&included) {
                continue;
            }
            let Some(by) = self.at(&by) else { continue };
            let path = self.vfs.file_path(included).clone();
            let Some((set, _)) = self.roots.iter_mut().find(|(set, _)| set.path_for_file(&by).is_some()) else {
                continue;
            };
            if set.path_for_file(&included).is_none() {
                set.insert(included, path);
            }
        }
    }

    /// Adds the sources that a build script wrote to a folder, or those that one would write, which was not run. They
    /// belong to the package of the file `root`.
    pub(super) fn add_made(&mut self, folder: &AbsPath, written: &BTreeMap<String, String>, root: FileId) {
        if written.is_empty() {
            let (extensions, include) = (vec!["rs".to_owned()], vec![folder.to_path_buf()]);
            self.read_folder(folder, &loader::Directories { extensions, include, exclude: Vec::new() });
            self.read_made_data(folder);
        }
        for (name, text) in written {
            self.add_made_file(folder.absolutize(name), text.clone());
        }
        let Some((set, _)) = self.roots.iter_mut().find(|(set, _)| set.path_for_file(&root).is_some()) else { return };
        for (file, path) in self.vfs.iter() {
            if path.as_path().is_some_and(|path| path.starts_with(folder)) {
                set.insert(file, path.clone());
            }
        }
    }

    /// Reads what a build script wrote that is no source: sources may include it.
    fn read_made_data(&mut self, folder: &AbsPath) {
        let is_data = |path: &Path, is_folder: bool| {
            is_folder
                || path.extension().and_then(OsStr::to_str).is_none_or(|it| it != "rs" && !OF_COMPILERS.contains(&it))
        };
        let found = self.sweep.below(folder.as_ref(), &[folder.as_ref()], &is_data);
        for path in found.files {
            self.looks_at(&path);
            let Some(name) = path.to_str().and_then(|it| AbsPathBuf::try_from(it).ok()) else { continue };
            match read::read_included(&path) {
                Ok(text) => self.add_made_file(name, text),
                Err(LoadError::NotFound(_)) => {}
                Err(error) => self.refuse(&path, &error.reason()),
            }
        }
    }

    /// Adds a file that a build script wrote or would write.
    fn add_made_file(&mut self, path: AbsPathBuf, text: String) {
        if !self.has_room_for(text.len()) {
            self.refuse(path.as_ref(), TOO_MUCH);
            return;
        }
        let is_source = path.extension() == Some("rs");
        let path = VfsPath::from(path);
        self.vfs.set_file_contents(path.clone(), Some(text.into_bytes()));
        self.included.extend(self.file(&path).filter(|_| !is_source));
    }

    /// Reads a file that a manifest names; `None` if it does not exist.
    pub(super) fn read_root(&mut self, path: &AbsPath) -> Option<FileId> {
        self.read(path);
        self.file(&VfsPath::from(path.to_path_buf()))
    }

    /// Reads the sources below a folder. Links are followed to targets in it or in the workspace.
    fn read_folder(&mut self, folder: &AbsPath, dirs: &loader::Directories) {
        let base = self.base.as_ref().filter(|base| folder.starts_with(base));
        let roots: Vec<&Path> =
            [Some(folder), base.map(|it| it.as_path())].into_iter().flatten().map(AsRef::as_ref).collect();
        let chosen = |path: &Path, is_folder: bool| {
            let Some(path) = path.to_str().and_then(|it| AbsPathBuf::try_from(it).ok()) else { return false };
            if is_folder {
                dirs.contains_dir(&path)
            } else {
                path.extension() == Some("rs") && dirs.contains_file(&path)
            }
        };
        let found = self.sweep.below(folder.as_ref(), &roots, &chosen);
        found.folders.iter().for_each(|path| self.looks_at(path));
        for file in found.files {
            if let Some(file) = file.to_str().and_then(|it| AbsPathBuf::try_from(it).ok()) {
                self.read(&file);
            }
        }
        self.refused.extend(found.refused);
    }

    /// Reads a text of the project's that a manifest names, such as a README; `None` if it is none of its files.
    pub(super) fn read_beside(&mut self, manifest: &Path, path: &Path) -> Option<String> {
        self.looks_at(path);
        self.own.contain(manifest, path).then(|| read::read_text(path, MAX_MANIFEST).ok()).flatten()
    }

    /// Notes a path that the project depends on, whether it exists or not.
    pub(super) fn looks_at(&mut self, path: &Path) {
        self.looked_at.insert(path.to_owned());
    }

    /// Notes a path whose modification time cargo checks.
    pub(super) fn looks_at_time(&mut self, path: &Path) {
        self.dated.insert(path.to_owned());
    }

    /// All paths that were looked at, including those that do not exist.
    pub(super) fn looked_at(&self) -> Vec<InputPath> {
        let all = self.looked_at.difference(&self.dated).map(|path| (path, false));
        let all = all.chain(self.dated.iter().map(|path| (path, true)));
        all.map(|(path, by_time)| InputPath { path: path.clone(), by_time }).collect()
    }

    fn read(&mut self, path: &AbsPath) {
        self.looks_at(path.as_ref());
        let path = path.to_path_buf();
        let known = self.vfs.file_id(&VfsPath::from(path.clone())).is_some();
        match read::read_file(path.as_ref(), MAX_SOURCE) {
            // A root is met twice.
            Ok(bytes) if !known && !self.has_room_for(bytes.len()) => self.refuse(path.as_ref(), TOO_MUCH),
            Ok(_) if !self.own.have(path.as_ref()) => {
                let why = LoadError::LeavesProject(path.clone().into()).reason();
                self.refuse(path.as_ref(), &why);
            }
            Ok(bytes) => {
                if let Ok(text) = std::str::from_utf8(&bytes) {
                    self.read_included(text, &path);
                }
                self.vfs.set_file_contents(VfsPath::from(path), Some(bytes));
            }
            // It is reported as a missing module.
            Err(LoadError::NotFound(_)) => {}
            Err(error) => self.refuse(path.as_ref(), &error.reason()),
        }
    }

    /// Adds a file's bytes to the total; false if that exceeds the limit.
    fn has_room_for(&mut self, bytes: usize) -> bool {
        self.bytes += bytes as u64;
        self.bytes <= MAX_SOURCES
    }

    pub(super) fn refuse(&mut self, path: &Path, why: &str) {
        self.refused.insert((path.to_owned(), why.to_owned()));
    }

    /// What was not read: the path as shown, and the reason.
    pub(super) fn refused(&self) -> Vec<(String, String)> {
        // A file without a package is shown as given; the files beside it are relative to the current folder.
        let current = self.current.clone().or_else(|| absolute(Path::new(".")).ok());
        let shown = |path: &Path| {
            let path = AbsPathBuf::try_from(path.to_str()?).ok()?;
            relative(current.as_deref()?, &path)
        };
        let shown = |path: &Path| shown(path).unwrap_or_else(|| short_path(&path.to_string_lossy()).to_owned());
        self.refused.iter().map(|(path, why)| (shown(path), why.clone())).collect()
    }

    /// Reads the files that the source file `by` includes.
    fn read_included(&mut self, text: &str, by: &AbsPath) {
        let Some(folder) = by.parent() else { return };
        for included in includes::paths(text, Edition::CURRENT) {
            let path = folder.absolutize(&included.path);
            self.looks_at(path.as_ref());
            let text = match read::read_included(path.as_ref()) {
                Err(LoadError::NotFound(_)) => continue,
                Err(error) => {
                    self.refuse(path.as_ref(), &error.reason());
                    continue;
                }
                Ok(_) if !self.own.contain(by.as_ref(), path.as_ref()) => {
                    self.refuse(path.as_ref(), OUTSIDE);
                    continue;
                }
                Ok(text) => text,
            };
            if self.has_room_for(text.len()) {
                let is_source = path.extension() == Some("rs");
                let path = VfsPath::from(path);
                self.vfs.set_file_contents(path.clone(), Some(text.into_bytes()));
                self.inclusions.extend(self.file(&path).map(|file| (by.to_path_buf(), file)));
                if !is_source {
                    self.included.extend(self.file(&path));
                    self.included_code.extend(self.file(&path).filter(|_| included.is_code));
                }
            } else {
                self.refuse(path.as_ref(), TOO_MUCH);
            }
        }
    }

    /// The source roots in the order of their ids.
    pub(super) fn source_roots(&self) -> Vec<SourceRoot> {
        let rest = self.roots.iter().map(|(set, is_local)| {
            if *is_local { SourceRoot::new_local(set.clone()) } else { SourceRoot::new_library(set.clone()) }
        });
        let made = SourceRoot::new_local(self.virtual_files.clone());
        std::iter::once(SourceRoot::new_library(self.std.clone())).chain(rest).chain([made]).collect()
    }

    /// Whether the file is in one of the added folders.
    pub(super) fn has(&self, file: FileId) -> bool {
        self.roots.iter().any(|(set, _)| set.path_for_file(&file).is_some())
    }

    /// Whether it is Rust source: files that are only included as a text or as bytes stay unchanged.
    pub(super) fn is_source(&self, file: FileId) -> bool {
        let is_rust =
            || self.vfs.file_path(file).name_and_extension().is_some_and(|(_, extension)| extension == Some("rs"));
        !self.included.contains(&file) || is_rust()
    }

    /// The user's own source files, in the order of their ids.
    pub(super) fn local(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> =
            self.roots.iter().filter(|(_, is_local)| *is_local).flat_map(|(set, _)| set.iter()).collect();
        files.retain(|file| !self.included.contains(file));
        files.sort();
        files
    }

    /// The user's own files, in the order of their ids: sources, and what they include.
    pub(super) fn texts(&self) -> Vec<FileId> {
        let sets = self.roots.iter().filter(|(_, is_local)| *is_local);
        let mut files: Vec<FileId> =
            sets.flat_map(|(set, _)| set.iter()).chain(self.included.iter().copied()).collect();
        files.sort();
        files.dedup();
        files
    }

    /// The path of a file; `None` for files in memory.
    pub(super) fn on_disk(&self, file: FileId) -> Option<PathBuf> {
        self.vfs.file_path(file).as_path().map(|path| path.to_path_buf().into())
    }

    /// Files that are not UTF-8, with the first bad byte.
    pub(super) fn not_utf8(&self) -> &[(FileId, usize)] {
        &self.not_utf8
    }

    /// Whether the file is only included by another one.
    pub(super) fn is_included(&self, file: FileId) -> bool {
        self.included.contains(&file)
    }

    /// Files that are nested too deep, with the line.
    pub(super) fn too_deep(&self) -> &[(FileId, usize)] {
        &self.too_deep
    }

    /// How a file is shown: as given, relative to the current folder, or `library/…` for std.
    pub(super) fn shown(&self, file: FileId) -> String {
        self.named(file, |path| relative(self.current.as_deref()?, path))
    }

    /// The path of the file in a compiled program: relative to the workspace, or absolute outside of it.
    pub(super) fn compiled(&self, file: FileId) -> String {
        self.named(file, |path| Some(path.strip_prefix(self.base.as_deref()?)?.as_str().to_owned()))
    }

    fn named(&self, file: FileId, relative: impl Fn(&AbsPath) -> Option<String>) -> String {
        if let Some((_, name)) = self.given.iter().find(|(given, _)| *given == file) {
            return name.clone();
        }
        let path = self.vfs.file_path(file);
        match path.as_path() {
            None => path.to_string().trim_start_matches('/').to_owned(),
            Some(path) => relative(path).unwrap_or_else(|| path.to_string()),
        }
    }

    /// The file that is shown as `path`.
    pub(super) fn find(&self, path: &str) -> Option<FileId> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name = FxHashMap::default();
            for (file, _) in self.vfs.iter() {
                by_name.entry(self.shown(file)).or_insert(file);
            }
            by_name
        });
        by_name.get(path).copied()
    }
}

/// The absolute form of a path, which need not exist.
pub(super) fn absolute(path: &Path) -> Result<AbsPathBuf, LoadError> {
    let absolute = std::path::absolute(path).map_err(|error| LoadError::Unreadable(path.to_owned(), error))?;
    let utf8 = absolute.to_str().ok_or_else(|| LoadError::PathNotUtf8(path.to_owned()))?;
    AbsPathBuf::try_from(utf8).map_err(|_| LoadError::PathNotUtf8(path.to_owned())).map(|path| path.normalize())
}

/// Extensions of what compilers and linkers write; no source includes that.
const OF_COMPILERS: [&str; 9] = ["a", "d", "dll", "dylib", "lib", "o", "rlib", "rmeta", "so"];

/// Maximum size of all files of a project, in bytes.
const MAX_SOURCES: u64 = 512 << 20;

/// Why a file that is included is not read.
pub(super) const OUTSIDE: &str = "included, but not in the folder of a package or workspace, or in its `.git`";

const TOO_MUCH: &str = "the project has more than 512 MiB of sources";
