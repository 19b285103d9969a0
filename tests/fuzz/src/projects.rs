//! Projects that somebody shipped: nothing that they name is started, nothing in them is changed, and they load or are refused.

use analyzer::project::{self, Allowed, Input, LoadOptions, Trust};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// What an input may contain beside sources.
const MANIFESTS: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
    ".cargo/config",
    "member/Cargo.toml",
    "member/.cargo/config.toml",
    "rust-toolchain.toml",
    "tsvd.toml",
];
/// Sources that are there whatever the input is.
const SOURCES: [&str; 4] = ["src/main.rs", "src/lib.rs", "member/src/lib.rs", "build.rs"];

/// A folder with a project, beside which it is noted if a program runs that the project names.
struct Shipped {
    folder: TempDir,
}

impl Shipped {
    fn new() -> Shipped {
        let shipped = Shipped { folder: tempfile::tempdir().expect("the temporary folder is writable") };
        for path in SOURCES {
            shipped.write(path, "fn main() {}\n");
        }
        // `@RUN@` and `./run` in an input are a program that leaves a trace.
        let script = format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\nexit 1\n", shipped.trace().display());
        shipped.write("run", &script);
        make_executable(&shipped.root().join("run"));
        shipped
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn trace(&self) -> PathBuf {
        self.folder.path().join("started")
    }

    fn write(&self, path: &str, text: &str) {
        let root = self.root();
        let text = text.replace("@RUN@", &root.join("run").display().to_string());
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        fs::write(path, text.replace("@ROOT@", &root.display().to_string())).expect("the folder is writable");
    }

    /// Loads it in both tiers that run nothing, as somebody does who is in its folder and never allowed anything.
    fn load(&self) {
        for trust in [Trust::Untrusted, Trust::IfWorkspaceTrusted(Allowed::default())] {
            self.load_as(trust);
        }
    }

    fn load_as(&self, trust: Trust) {
        let before = tree(&self.root());
        let options = LoadOptions { trust, tests: true, from: Some(self.root()), ..LoadOptions::default() };
        match project::load(&Input::Package(self.root()), &options) {
            Ok(project) => drop(project.targets()),
            Err(error) => assert!(!error.to_string().is_empty(), "an error without a word"),
        }
        if let Ok(trace) = fs::read_to_string(self.trace()) {
            panic!("a program that the project names was started: {trace}");
        }
        assert_eq!(changes(&before, &tree(&self.root())), Vec::<PathBuf>::new(), "the project was changed");
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it was just written");
}

#[cfg(not(unix))]
fn make_executable(_: &Path) {}

/// Every path below a folder with what is in it; links are not followed.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a readable folder")) {
            let (path, kind) = (entry.path(), entry.file_type().expect("it is there"));
            if kind.is_dir() {
                folders.push(path.clone());
                found.insert(path, Vec::new());
            } else {
                found.insert(path.clone(), fs::read(&path).expect("a readable file"));
            }
        }
    }
    found
}

fn changes(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<PathBuf> {
    let paths = before.keys().chain(after.keys());
    let mut changed: Vec<PathBuf> = paths.filter(|path| before.get(*path) != after.get(*path)).cloned().collect();
    changed.dedup();
    changed
}

/// A package as one text: a line `--- path` begins each of its files.
pub(super) fn manifests(input: &[u8]) {
    let shipped = Shipped::new();
    let text = String::from_utf8_lossy(input);
    for part in text.split("--- ").skip(1) {
        let (path, text) = part.split_once('\n').unwrap_or((part, ""));
        if MANIFESTS.contains(&path.trim()) {
            shipped.write(path.trim(), text);
        }
    }
    shipped.load();
}

/// The text of a `rust-project.json`.
pub(super) fn rust_project(input: &[u8]) {
    let shipped = Shipped::new();
    shipped.write("rust-project.json", &String::from_utf8_lossy(input));
    shipped.load();
}
