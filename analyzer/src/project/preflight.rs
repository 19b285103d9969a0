//! Checks what cargo is about to read before it starts: a manifest that is a pipe or a device would block it, and links
//! can make a workspace endless.

use super::{
    LoadError, OwnFolders,
    configuration::Configuration,
    read::{self, MAX_MANIFEST},
};
use rustc_hash::FxHashSet;
use std::{
    fs,
    path::{Component, Path, PathBuf},
};
use toml::{Table, Value};

/// Maximum number of manifests of a project, with vendored packages.
const MAX_MANIFESTS: usize = 20_000;

/// Maximum number of names that are looked at to find them.
const MAX_NAMES: usize = 500_000;

/// Maximum number of names where a pattern follows links.
const MAX_LINKED_NAMES: usize = 100_000;

/// Visits all manifests that cargo reads for this one. Returns the path of its lock file, which may not exist.
///
/// # Errors
///
/// If one is not a regular file, or too large, or there are too many.
pub(super) fn check(manifest: &Path, configuration: &Configuration) -> Result<PathBuf, LoadError> {
    let manifest = &normal(manifest);
    // cargo reads the configuration of the uppermost folder itself.
    if let Some(folder) = manifest.parent().filter(|it| it.parent().is_none())
        && (["config", "config.toml"].iter().any(|name| folder.join(".cargo").join(name).exists())
            || ["rust-toolchain", "rust-toolchain.toml"].iter().any(|name| folder.join(name).exists()))
    {
        let what = "its folder is the uppermost one, whose configuration always counts".to_owned();
        return Err(LoadError::Endless(manifest.clone(), what));
    }
    let mut checked = ManifestCheck {
        given: manifest,
        known: FxHashSet::default(),
        queue: Vec::new(),
        folders: FxHashSet::default(),
        enclosing: 0,
        names: 0,
        linked_names: 0,
        links: Vec::new(),
    };
    checked.queue.push(manifest.clone());
    let root = checked.around(manifest)?;
    let folder = root.as_deref().and_then(Path::parent).or(manifest.parent()).unwrap_or(manifest).to_owned();
    let lock = folder.join("Cargo.lock");
    checked.is_readable(&lock)?;
    // If the workspace excludes this package, its own lock file counts.
    checked.is_regular(&manifest.with_file_name("Cargo.lock"))?;
    for source in tables(configuration.for_cargo.get("source")) {
        if let Some(folder) = source.get("directory").and_then(Value::as_str) {
            checked.vendored(Path::new(folder))?;
        }
        if let Some(folder) = source.get("local-registry").and_then(Value::as_str) {
            checked.registry(Path::new(folder))?;
        }
    }
    for path in configuration.for_cargo.get("paths").and_then(Value::as_array).into_iter().flatten() {
        checked.below(Path::new(path.as_str().unwrap_or_default()))?;
    }
    checked.patches(&configuration.for_cargo, Path::new(""));
    while let Some(manifest) = checked.queue.pop() {
        checked.manifest(&manifest)?;
    }
    // cargo's messages quote what is wrong in a file, so a link must not choose it.
    let own = OwnFolders::new([folder.as_path()]);
    match checked.links.into_iter().find(|it| !own.have(it)) {
        Some(link) => Err(LoadError::LeavesProject(link)),
        None => Ok(lock),
    }
}

struct ManifestCheck<'a> {
    /// The given manifest.
    given: &'a Path,
    known: FxHashSet<PathBuf>,
    queue: Vec<PathBuf>,
    /// Folders that were searched for a workspace's root, with those around them.
    folders: FxHashSet<PathBuf>,
    /// Number of manifests in them.
    enclosing: usize,
    /// Number of names that were looked at.
    names: usize,
    /// Those where a pattern follows links.
    linked_names: usize,
    /// Files that are links.
    links: Vec<PathBuf>,
}

impl ManifestCheck<'_> {
    /// A file that cargo reads if it exists.
    fn is_readable(&mut self, file: &Path) -> Result<Option<Table>, LoadError> {
        self.note_link(file);
        match read::read_text(file, MAX_MANIFEST) {
            Ok(text) => Ok(Some(text.parse().unwrap_or_default())),
            // cargo reports these itself.
            Err(LoadError::NotFound(_) | LoadError::NotUtf8(..)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Visits the enclosing manifests up to a workspace's root, and returns that. Folders that were visited before are
    /// left out, so the answer counts only for the first manifest.
    fn around(&mut self, manifest: &Path) -> Result<Option<PathBuf>, LoadError> {
        let mut found = None;
        for folder in manifest.parent().into_iter().flat_map(Path::ancestors) {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
            self.count_name()?;
            let file = folder.join("Cargo.toml");
            let Some(table) = self.is_readable(&file)? else { continue };
            self.enclosing += 1;
            if self.enclosing > MAX_MANIFESTS {
                return Err(self.too_many());
            }
            // cargo follows this key of each manifest on its way up.
            let package = table.get("package").or_else(|| table.get("project"));
            if let Some(root) = package.and_then(|it| it.get("workspace")).and_then(Value::as_str) {
                let root = normal(&folder.join(root).join("Cargo.toml"));
                self.queue.push(root.clone());
                return Ok(found.or(Some(root)));
            }
            let Some(workspace) = table.get("workspace") else { continue };
            if found.is_none() && !excludes(workspace, folder, manifest) {
                found = Some(file.clone());
            }
            self.queue.push(file);
            // Above a workspace that excludes a package, cargo looks for another.
            if workspace.get("exclude").is_none() {
                break;
            }
        }
        Ok(found)
    }

    fn manifest(&mut self, file: &Path) -> Result<(), LoadError> {
        if !self.known.insert(file.to_owned()) {
            return Ok(());
        }
        if self.known.len() > MAX_MANIFESTS {
            return Err(self.too_many());
        }
        let Some(table) = self.is_readable(file)? else { return Ok(()) };
        // A package takes keys from its workspace's root, also if it is only a dependency.
        self.around(file)?;
        let folder = file.parent().unwrap_or(file);
        let workspace = table.get("workspace").and_then(Value::as_table);
        for members in ["members", "default-members"] {
            let patterns = workspace.and_then(|it| it.get(members)?.as_array()).into_iter().flatten();
            for pattern in patterns.filter_map(Value::as_str) {
                self.members(folder, pattern)?;
            }
        }
        let own = ["dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"];
        let targets = tables(table.get("target"));
        for of in targets.chain([&table]).chain(workspace) {
            for kind in own {
                self.paths(tables(of.get(kind)), folder);
            }
        }
        self.patches(&table, folder);
        self.paths(tables(table.get("replace")), folder);
        Ok(())
    }

    fn patches(&mut self, table: &Table, folder: &Path) {
        for source in tables(table.get("patch")) {
            self.paths(source.values().filter_map(Value::as_table), folder);
        }
    }

    fn paths<'t>(&mut self, dependencies: impl Iterator<Item = &'t Table>, folder: &Path) {
        for path in dependencies.filter_map(|it| it.get("path")?.as_str()) {
            self.queue.push(normal(&folder.join(path).join("Cargo.toml")));
        }
    }

    /// Queues the manifests of those folders that have one. cargo opens these paths as they are.
    fn packages(&mut self, folders: Vec<PathBuf>) {
        let files = folders.into_iter().map(|it| it.join("Cargo.toml"));
        self.queue.extend(files.filter(|it| fs::metadata(it).is_ok()));
    }

    /// The manifests that a pattern of `members` matches. cargo follows links there.
    fn members(&mut self, folder: &Path, pattern: &str) -> Result<(), LoadError> {
        let mut folders = vec![if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_owned() }];
        for part in pattern.split('/').filter(|it| !it.is_empty()) {
            let mut next = Vec::new();
            for folder in folders {
                if part == "**" {
                    self.folders_below(&folder, &mut next)?;
                } else if part.contains(['*', '?', '[']) {
                    let names = self.names_in(&folder)?;
                    self.linked_names += names.len();
                    if self.linked_names > MAX_LINKED_NAMES {
                        let what = format!("`members` leads to folders with more than {MAX_LINKED_NAMES} names");
                        return Err(self.endless(what));
                    }
                    next.extend(names.into_iter().filter(|it| it.is_dir()));
                } else {
                    next.push(folder.join(part));
                }
            }
            folders = next;
        }
        self.queue.extend(folders.into_iter().map(|it| normal(&it.join("Cargo.toml"))));
        Ok(())
    }

    /// A folder and those below it; links are not followed.
    fn folders_below(&mut self, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), LoadError> {
        let mut queue = vec![folder.to_owned()];
        while let Some(folder) = queue.pop() {
            let is_folder = |it: &PathBuf| fs::symlink_metadata(it).is_ok_and(|data| data.is_dir());
            queue.extend(self.names_in(&folder)?.into_iter().filter(is_folder));
            found.push(folder);
        }
        Ok(())
    }

    fn names_in(&mut self, folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            self.count_name()?;
            found.push(entry.path());
        }
        Ok(found)
    }

    fn count_name(&mut self) -> Result<(), LoadError> {
        self.names += 1;
        if self.names > MAX_NAMES {
            return Err(self.endless(format!("it leads to folders with more than {MAX_NAMES} names")));
        }
        Ok(())
    }

    /// The packages of a vendor folder.
    fn vendored(&mut self, folder: &Path) -> Result<(), LoadError> {
        let packages = self.names_in(folder)?;
        packages.iter().try_for_each(|it| self.is_regular(&it.join(".cargo-checksum.json")))?;
        self.packages(packages);
        Ok(())
    }

    /// The index and the archives of a local registry.
    fn registry(&mut self, folder: &Path) -> Result<(), LoadError> {
        let mut folders = Vec::new();
        self.folders_below(folder, &mut folders)?;
        for folder in folders {
            let special = |it: &PathBuf| fs::metadata(it).is_ok_and(|data| !data.is_file() && !data.is_dir());
            if let Some(file) = self.names_in(&folder)?.into_iter().find(special) {
                return Err(LoadError::NotAFile(file));
            }
        }
        Ok(())
    }

    /// The packages of `paths`.
    fn below(&mut self, folder: &Path) -> Result<(), LoadError> {
        let mut folders = Vec::new();
        self.folders_below(folder, &mut folders)?;
        self.packages(folders);
        Ok(())
    }

    fn note_link(&mut self, file: &Path) {
        if fs::symlink_metadata(file).is_ok_and(|data| data.is_symlink()) {
            self.links.push(file.to_owned());
        }
    }

    fn is_regular(&mut self, file: &Path) -> Result<(), LoadError> {
        self.note_link(file);
        match fs::metadata(file) {
            Ok(data) if !data.is_file() => Err(LoadError::NotAFile(file.to_owned())),
            Ok(data) if data.len() > MAX_MANIFEST => Err(LoadError::TooLarge(file.to_owned(), MAX_MANIFEST)),
            _ => Ok(()),
        }
    }

    fn too_many(&self) -> LoadError {
        self.endless(format!("it leads to more than {MAX_MANIFESTS} manifests"))
    }

    fn endless(&self, what: String) -> LoadError {
        LoadError::Endless(self.given.to_owned(), what)
    }
}

/// The tables in a table.
fn tables(value: Option<&Value>) -> impl Iterator<Item = &Table> {
    value.and_then(Value::as_table).into_iter().flat_map(|it| it.values().filter_map(Value::as_table))
}

/// Whether a workspace in a folder leaves out a package, as cargo decides it.
fn excludes(workspace: &Value, folder: &Path, manifest: &Path) -> bool {
    let has = |key: &str| {
        let paths = workspace.get(key).and_then(Value::as_array).into_iter().flatten();
        paths.filter_map(Value::as_str).any(|it| manifest.starts_with(folder.join(it)))
    };
    has("exclude") && !has("members")
}

/// A path without `.` and `..`, as cargo opens it: links do not count, unlike for the system. Without this, packages
/// that depend on each other would have endlessly many paths.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
