//! The workspaces that this user has allowed (`tsvd-check trust`): their build output may be used (SECURITY.md).
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
const HEADER: Header = Header::new("tsvd-check trusted workspaces 1");
/// Maximum size of the list, in bytes.
const LIMIT: u64 = 1 << 20;

/// All trusted workspaces.
///
/// # Errors
///
/// If the list exists but cannot be read, or others than the user can write it.
pub fn all() -> io::Result<BTreeSet<PathBuf>> {
    match UserFolder::existing_config()? {
        Some(folder) => listed(&folder),
        None => Ok(BTreeSet::new()),
    }
}

/// Allows the workspace at a path. Returns its root, and whether the list changed.
///
/// # Errors
///
/// If there is no workspace, or the list cannot be written.
pub fn allow(path: &Path) -> Result<(PathBuf, bool), String> {
    change(root(path).map_err(|error| error.to_string())?, BTreeSet::insert)
}

/// Undoes [`allow`], also for a workspace that no longer exists.
///
/// # Errors
///
/// If the list cannot be written.
pub fn disallow(path: &Path) -> Result<(PathBuf, bool), String> {
    let root = root(path).or_else(|_| std::path::absolute(path)).map_err(|error| error.to_string())?;
    change(root, |folders, root| folders.remove(&root))
}

/// Changes the list. Returns the root, and whether the list changed.
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
    let is_new = write().map_err(|error| format!("the list of trusted workspaces cannot be changed: {error}"))?;
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
