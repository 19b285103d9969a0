//! A folder for what cargo must not write into the user's tree.

use super::{handle, random};
use std::{
    fs, io,
    path::{Path, PathBuf},
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

    /// Writes a file of a name, and gives its path. No one else can put a link in its place.
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
        // What cannot be removed stays where the system cleans up. Links are removed, not followed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
