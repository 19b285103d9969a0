//! Paths that every report about a project depends on, found without cargo. A cached report whose inputs lack one of them
//! was made from another state of the project.

use super::{
    Input, LoadError,
    files::absolute,
    manifest::{self, Manifest},
    read::{MAX_MANIFEST, read_text},
    tools::cargo_home,
};
use crate::config::{self, Place};
use std::path::{Path, PathBuf};

/// Where cargo finds the sources of targets by default.
const USUAL_ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];
/// Maximum number of folders that are searched for members of a workspace.
const MAX_FOLDERS: usize = 10_000;

/// The paths for a project, seen from a folder.
///
/// # Errors
///
/// If there is no project.
pub fn implied_paths(input: &Input, from: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let (manifest, mut paths) = match input {
        Input::File(path) => return Ok(vec![absolute(path)?.into()]),
        Input::Package(path) => match manifest::find(path)? {
            (Manifest::Json(file), mut paths) => {
                paths.extend(file.parent().map(|folder| folder.join(config::FILE_NAME)));
                return Ok(paths);
            }
            (Manifest::Cargo(manifest), paths) => (PathBuf::from(absolute(&manifest)?), paths),
        },
    };
    let folder = manifest.parent().unwrap_or(&manifest);
    paths.extend([manifest.clone(), folder.to_owned()]);
    let table = read_manifest(&manifest);
    let root = root_folder(&table, folder, &mut paths);
    paths.extend(["Cargo.toml", "Cargo.lock", config::FILE_NAME].map(|name| root.join(name)));
    if table.contains_key("package") {
        roots_of_targets(&table, folder, &mut paths);
    } else {
        members(&table, folder, &mut paths);
    }
    // The Cargo Book, "Configuration": of the folder in which cargo runs, those around it, and the user's.
    for folder in from.ancestors().map(|folder| folder.join(".cargo")).chain(cargo_home()) {
        paths.extend([folder.join("config"), folder.join("config.toml")]);
    }
    Ok(paths)
}

/// The places where a project's configuration can be, and the root of its workspace. A single file has none.
///
/// # Errors
///
/// If there is no project.
pub(super) fn places_of_config(input: &Input) -> Result<Option<(PathBuf, Vec<Place>)>, LoadError> {
    let Input::Package(path) = input else { return Ok(None) };
    let (manifest, is_cargo) = match manifest::find(path)?.0 {
        Manifest::Cargo(manifest) => (manifest, true),
        Manifest::Json(file) => (file, false),
    };
    let manifest = PathBuf::from(absolute(&manifest)?);
    let folder = manifest.parent().unwrap_or(&manifest);
    if !is_cargo {
        return Ok(Some((folder.to_owned(), config::places(folder, None))));
    }
    let root = root_folder(&read_manifest(&manifest), folder, &mut Vec::new());
    let places = config::places(&root, Some(folder));
    Ok(Some((root, places)))
}

/// The root of a package's workspace: the one that it names, else the nearest around it, else its own folder.
fn root_folder(table: &toml::Table, folder: &Path, paths: &mut Vec<PathBuf>) -> PathBuf {
    if table.contains_key("workspace") {
        return folder.to_owned();
    }
    let named = table.get("package").and_then(|it| it.get("workspace")).and_then(toml::Value::as_str);
    if let Some(root) = named.and_then(|named| absolute(&folder.join(named)).ok()) {
        return root.into();
    }
    for around in folder.ancestors().skip(1) {
        let manifest = around.join("Cargo.toml");
        paths.push(manifest.clone());
        if read_manifest(&manifest).contains_key("workspace") {
            return around.to_owned();
        }
    }
    folder.to_owned()
}

/// The sources of a package's library and programs: those that the manifest names, and those at the default paths.
fn roots_of_targets(table: &toml::Table, folder: &Path, paths: &mut Vec<PathBuf>) {
    let named =
        ["bin", "example", "test", "bench"].into_iter().filter_map(|kind| table.get(kind)?.as_array()).flatten();
    let named = table.get("lib").into_iter().chain(named).filter_map(|target| target.get("path")?.as_str());
    let roots = USUAL_ROOTS.into_iter().chain(named).map(|path| folder.join(path));
    paths.extend(roots.filter(|path| path.is_file()).filter_map(|path| absolute(&path).ok().map(PathBuf::from)));
}

/// The manifests of a workspace's members, and the folders that its patterns search.
fn members(table: &toml::Table, folder: &Path, paths: &mut Vec<PathBuf>) {
    let listed = table.get("workspace").and_then(|it| it.get("members")).and_then(toml::Value::as_array);
    for pattern in listed.into_iter().flatten().filter_map(toml::Value::as_str) {
        let mut folders = vec![folder.to_owned()];
        for part in pattern.split('/').filter(|part| !part.is_empty()) {
            if part.contains(['*', '?', '[']) {
                paths.extend(folders.iter().cloned());
                // A superfluous path does no harm.
                folders = folders.iter().flat_map(|it| folders_in(it)).take(MAX_FOLDERS).collect();
            } else {
                folders.iter_mut().for_each(|it| it.push(part));
            }
        }
        paths.extend(folders.iter().filter_map(|it| Some(absolute(&it.join("Cargo.toml")).ok()?.into())));
    }
}

/// A manifest that cannot be read counts as empty.
pub(super) fn read_manifest(path: &Path) -> toml::Table {
    read_text(path, MAX_MANIFEST).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries.map(|it| it.path()).filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths below a folder, and the number of others.
    fn implied(files: &[(&str, &str)], path: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let input = Input::from_path(folder.path().join(path));
        let paths = implied_paths(&input, &folder.path().join("from")).unwrap();
        let below = paths.iter().filter_map(|it| it.strip_prefix(folder.path()).ok());
        let mut below: Vec<String> = below.map(|it| it.to_string_lossy().into_owned()).collect();
        below.sort();
        below.dedup();
        below.retain(|it| !it.contains(".cargo/config"));
        below
    }

    #[test]
    fn of_a_package() {
        let package = "[package]\nname = \"a\"\n[lib]\npath = \"code/a.rs\"\n[[bin]]\npath = \"none.rs\"\n";
        let files = [
            ("Cargo.toml", "[workspace]\nmembers = [\"in/a\"]\n"),
            ("in/a/Cargo.toml", package),
            ("in/a/code/a.rs", ""),
            ("in/a/src/main.rs", ""),
        ];
        let found = [
            "Cargo.lock",
            "Cargo.toml",
            "in/Cargo.toml",
            "in/a",
            "in/a/Cargo.toml",
            "in/a/code/a.rs",
            "in/a/src/main.rs",
            "tsvd.toml",
        ];
        assert_eq!(implied(&files, "in/a"), found);
        assert_eq!(implied(&files, "in/a/Cargo.toml"), found);
        let named = "[package]\nworkspace = \"../other\"\n";
        let files = [("a/Cargo.toml", named), ("other/Cargo.toml", "[workspace]\n")];
        assert_eq!(
            implied(&files, "a"),
            ["a", "a/Cargo.toml", "other/Cargo.lock", "other/Cargo.toml", "other/tsvd.toml"]
        );
    }

    #[test]
    fn of_a_workspace() {
        let files = [
            ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"in/*/x\"]\n"),
            ("in/a/x/Cargo.toml", ""),
            ("in/b/src/lib.rs", ""),
        ];
        let found = [
            "",
            "Cargo.lock",
            "Cargo.toml",
            "in",
            "in/a/x/Cargo.toml",
            "in/b/x/Cargo.toml",
            "one/Cargo.toml",
            "tsvd.toml",
        ];
        assert_eq!(implied(&files, "."), found);
    }

    #[test]
    fn of_others() {
        assert_eq!(implied(&[("a.rs", "")], "a.rs"), ["a.rs"]);
        let json = implied(&[("rust-project.json", "")], ".");
        assert_eq!(json, ["Cargo.toml", "rust-project.json", "tsvd.toml"]);
    }

    #[test]
    fn the_configuration_of_every_folder_around() {
        let paths = implied_paths(&Input::File("a.rs".into()), Path::new("/x/y")).unwrap();
        assert_eq!(paths.len(), 1);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        let paths = implied_paths(&Input::Package(folder.path().to_owned()), Path::new("/x/y")).unwrap();
        for path in ["/x/y/.cargo/config", "/x/y/.cargo/config.toml", "/x/.cargo/config", "/.cargo/config.toml"] {
            assert!(paths.contains(&PathBuf::from(path)), "{path}");
        }
    }
}
