//! Folders by path, for systems without folder handles: links are refused when they are met.

use std::{
    ffi::OsStr,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// A folder.
#[derive(Debug)]
pub(in super::super) struct Handle(PathBuf);

/// Creates the missing folders of a path.
pub(in super::super) fn create_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}

/// Creates a new folder.
pub(in super::super) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().create(path)
}

fn refused(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

impl Handle {
    /// Opens a folder; links are followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Handle> {
        Ok(Handle(path.canonicalize()?))
    }

    /// Opens a subfolder, created if it is missing; a link is not followed.
    pub(in super::super) fn folder(&self, name: &str) -> io::Result<Handle> {
        let path = self.0.join(name);
        match fs::create_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        match fs::symlink_metadata(&path)?.is_dir() {
            true => Ok(Handle(path)),
            false => Err(refused("it is a link, or no folder: not used")),
        }
    }

    /// Opens a folder in it that is there; a link is not followed.
    pub(in super::super) fn existing_folder(&self, name: &OsStr) -> io::Result<Handle> {
        let path = self.0.join(name);
        match name == ".." || fs::symlink_metadata(&path)?.is_dir() {
            true => Ok(Handle(path)),
            false => Err(refused("it is a link, or no folder: not followed")),
        }
    }

    /// Why others may be able to write the folder: a user's folders are private by default.
    pub(in super::super) fn distrusted(&self) -> io::Result<Option<&'static str>> {
        let is_folder = fs::symlink_metadata(&self.0)?.is_dir();
        Ok((!is_folder).then_some("is a link, or no folder"))
    }

    /// Opens a file for reading; a link is not followed.
    pub(in super::super) fn file(&self, name: &str) -> io::Result<File> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path)?.is_file() {
            true => File::open(path),
            false => Err(refused("it is a link, or no regular file: not used")),
        }
    }

    /// Creates a new file.
    pub(in super::super) fn create_new(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
    }

    /// Makes a new file with the permissions that the user's files have.
    pub(in super::super) fn create_new_shared(&self, name: &str) -> io::Result<File> {
        self.create_new(name)
    }

    /// Whether something with this name is there, and no regular file; a link is not followed.
    pub(in super::super) fn is_special(&self, name: &str) -> io::Result<bool> {
        match fs::symlink_metadata(self.0.join(name)) {
            Ok(data) => Ok(!data.is_file()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Renames a file; an existing target is replaced, never followed.
    pub(in super::super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    /// Renames a file to an unused name; `AlreadyExists` if it is used.
    pub(in super::super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.0.join(from), self.0.join(to))?;
        self.remove(from)
    }

    /// Removes a file; if it is a link, the link.
    pub(in super::super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// The names of its entries that are UTF-8.
    pub(in super::super) fn names(&self) -> io::Result<Vec<String>> {
        fs::read_dir(&self.0)?
            .map(|entry| Ok(entry?.file_name().into_string().ok()))
            .filter_map(Result::transpose)
            .collect()
    }
}

/// Why others may be able to write a file.
pub(in super::super) fn distrusted_file(data: &Metadata) -> Option<&'static str> {
    (!data.is_file()).then_some("is not a regular file")
}
