//! A temporary folder for files that cargo must not write into the user's tree.

use super::{handle, random};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A new folder in the system's temporary folder, for the user alone; removed on drop with all its contents.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Creates one.
    ///
    /// # Errors
    ///
    /// If there is no temporary folder, or it cannot be written.
    pub fn new() -> io::Result<TemporaryFolder> {
        // cargo prints paths with links resolved.
        let base = std::env::temp_dir().canonicalize()?;
        let path = base.join(format!("tsvd-check-{:032x}", u128::from_ne_bytes(random()?)));
        // Fails if the name exists, even as a link.
        handle::create_folder(&path)?;
        Ok(TemporaryFolder(path))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and returns its path. Nobody else can put a link in its place.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<PathBuf> {
        let path = self.0.join(name);
        fs::write(&path, content)?;
        Ok(path)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If it cannot be removed, the system will clean up. Links are removed, not followed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
