//! The workspaces that this user has allowed (`tsvd-check trust`): what a build left there may be used (SECURITY.md).
//!
//! The list is a file in the user's configuration, a workspace's canonical path on each line as a JSON string.

use crate::{
    project::{LoadError, LoadOptions, workspace_root},
    user_files::{Header, UserFolder},
};
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

const FILE: &str = "allowed-workspaces";
const HEADER: Header = Header::new("tsvd-check allowed workspaces 1");
/// The most bytes of the list.
const LIMIT: u64 = 1 << 20;

/// All that are allowed.
///
/// # Errors
///
/// If the list is there and cannot be read, or is not the user's alone.
pub fn all() -> io::Result<BTreeSet<PathBuf>> {
    match UserFolder::existing_config()? {
        Some(folder) => listed(&folder),
        None => Ok(BTreeSet::new()),
    }
}

/// Allows the workspace at a path; gives its root, and whether that changed anything.
///
/// # Errors
///
/// If there is no workspace, or the list cannot be written.
pub fn allow(path: &Path) -> Result<(PathBuf, bool), String> {
    change(root(path).map_err(|error| error.to_string())?, BTreeSet::insert)
}

/// Takes that back, also of a workspace that is gone; as [`allow`].
///
/// # Errors
///
/// If the list cannot be written.
pub fn disallow(path: &Path) -> Result<(PathBuf, bool), String> {
    let root = root(path).or_else(|_| std::path::absolute(path)).map_err(|error| error.to_string())?;
    change(root, |folders, root| folders.remove(&root))
}

/// Changes the list; gives the root, and whether it is another list now.
fn change(
    root: PathBuf,
    edit: impl FnOnce(&mut BTreeSet<PathBuf>, PathBuf) -> bool,
) -> Result<(PathBuf, bool), String> {
    let write = || -> io::Result<bool> {
        let folder = UserFolder::config()?;
        let mut folders = listed(&folder)?;
        let is_new = edit(&mut folders, root.clone());
        if is_new {
            let line = |path: &PathBuf| Some(serde_json::to_string(path.to_str()?).ok()? + "\n");
            let text: String = folders.iter().filter_map(line).collect();
            folder.write(FILE, HEADER, text.as_bytes())?;
        }
        Ok(is_new)
    };
    let is_new = write().map_err(|error| format!("the list of allowed workspaces cannot be changed: {error}"))?;
    Ok((root, is_new))
}

fn root(path: &Path) -> Result<PathBuf, LoadError> {
    let options = LoadOptions { from: path.is_dir().then(|| path.to_owned()), ..LoadOptions::default() };
    workspace_root(path, &options)
}

fn listed(folder: &UserFolder) -> io::Result<BTreeSet<PathBuf>> {
    let bytes = folder.read(FILE, HEADER, LIMIT)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let folders = text.lines().map(|line| serde_json::from_str::<String>(line).map(PathBuf::from));
    folders.collect::<Result<_, _>>().map_err(io::Error::from)
}
