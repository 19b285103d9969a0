//! A folder for what cargo must not write into the user's tree.

use super::{handle, random};
use std::{
    fs,
    io::{self, Write as _},
    path::{Component, Path, PathBuf},
};

/// A new folder in the system's temporary folder, for the user alone; removed with all that is in it.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes one.
    ///
    /// # Errors
    ///
    /// If there is no temporary folder, or it cannot be written.
    pub fn new() -> io::Result<TemporaryFolder> {
        // cargo finds what it writes by the path without links.
        let base = std::env::temp_dir().canonicalize()?;
        let path = base.join(format!("tsvd-check-{:032x}", u128::from_ne_bytes(random()?)));
        // Nothing of this name may be there, also no link.
        handle::create_folder(&path)?;
        Ok(TemporaryFolder(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a new file, and the folders on its way.
    ///
    /// # Errors
    ///
    /// If the path leads out of the folder, if there is such a file, or if it cannot be written.
    pub fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{} is outside", path.display())));
        }
        let path = self.0.join(path);
        handle::create_folders(path.parent().unwrap_or(&self.0))?;
        fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed stays where the system cleans up. Links are removed, not followed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
