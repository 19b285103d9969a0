//! Which file describes a project: `Cargo.toml` or `rust-project.json`.

use super::{LoadError, files};
use std::path::{Path, PathBuf};

/// The first of these in a folder is used.
const NAMES: [&str; 3] = ["Cargo.toml", "rust-project.json", ".rust-project.json"];

/// The file that describes a project.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Manifest {
    /// A Cargo package.
    Cargo(PathBuf),
    /// Crates of another build system.
    Json(PathBuf),
}

/// The file that describes the project at a path, and all paths where it was looked for.
pub(super) fn find(path: &Path) -> Result<(Manifest, Vec<PathBuf>), LoadError> {
    let data = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => LoadError::NotFound(path.to_owned()),
        _ => LoadError::Unreadable(path.to_owned(), error),
    })?;
    if !data.is_dir() {
        let found = named(path).ok_or_else(|| LoadError::NoManifest(path.to_owned()))?;
        return Ok((found, vec![path.to_owned()]));
    }
    let mut looked_at = Vec::new();
    if let Some(found) = in_folder(path, &mut looked_at) {
        return Ok((found, looked_at));
    }
    // As cargo does: the package around the folder.
    let absolute = files::absolute(path)?;
    let mut around = std::iter::successors(absolute.parent(), |folder| folder.parent());
    let found = around.find_map(|folder| in_folder(folder.as_ref(), &mut looked_at));
    found.map(|found| (found, looked_at)).ok_or_else(|| LoadError::NoManifest(path.to_owned()))
}

/// The innermost enclosing folder that holds a project.
pub fn project_around(folder: &Path) -> Option<PathBuf> {
    let has_one = |it: &&Path| in_folder(it, &mut Vec::new()).is_some();
    folder.ancestors().find(has_one).map(Path::to_path_buf)
}

/// Whether a change of a file with this name may change the project.
pub fn is_manifest(path: &Path) -> bool {
    named(path).is_some()
}

/// Whether the path is a project that a `rust-project.json` describes.
pub fn is_described_by_json(path: &Path) -> bool {
    matches!(find(path), Ok((Manifest::Json(_), _)))
}

fn named(path: &Path) -> Option<Manifest> {
    let name = path.file_name()?.to_str()?;
    match NAMES.iter().position(|it| *it == name)? {
        0 => Some(Manifest::Cargo(path.to_owned())),
        _ => Some(Manifest::Json(path.to_owned())),
    }
}

fn in_folder(folder: &Path, looked_at: &mut Vec<PathBuf>) -> Option<Manifest> {
    NAMES.iter().find_map(|name| {
        let path = folder.join(name);
        looked_at.push(path.clone());
        if path.is_file() { named(&path) } else { None }
    })
}
