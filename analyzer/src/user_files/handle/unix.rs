//! Folders by handle: what replaces the path meanwhile has no effect.

use rustix::{
    fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, unlinkat},
    io::Errno,
    process::geteuid,
};
use std::{
    ffi::OsStr,
    fs::{DirBuilder, File, Metadata},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::Path,
};

/// An open folder.
#[derive(Debug)]
pub(in super::super) struct Handle(File);

/// Creates the missing folders of a path, for the user alone.
pub(in super::super) fn create_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Creates a new folder for the user alone.
pub(in super::super) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

impl Handle {
    /// Opens a folder; links are followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Handle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Handle(rustix::fs::open(path, flags, Mode::empty())?.into()))
    }

    /// Opens a subfolder, created if it is missing; a link is not followed.
    pub(in super::super) fn folder(&self, name: &str) -> io::Result<Handle> {
        match mkdirat(&self.0, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(folder) => Ok(Handle(folder.into())),
            Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is a link, or no folder: not used"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a folder in it that is there; a link is not followed.
    pub(in super::super) fn existing_folder(&self, name: &OsStr) -> io::Result<Handle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(folder) => Ok(Handle(folder.into())),
            Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is a link, or no folder: not followed"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Why others may be able to write the folder.
    pub(in super::super) fn distrusted(&self) -> io::Result<Option<&'static str>> {
        Ok(distrusted(&self.0.metadata()?))
    }

    /// Opens a file for reading; a link is not followed, and a pipe does not block.
    pub(in super::super) fn file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(file) => Ok(file.into()),
            Err(Errno::LOOP | Errno::MLINK) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is a link: not followed"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Creates a new file for the user alone.
    pub(in super::super) fn create_new(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Makes a new file with the permissions that the user's files have.
    pub(in super::super) fn create_new_shared(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Whether something with this name is there, and no regular file; a link is not followed.
    pub(in super::super) fn is_special(&self, name: &str) -> io::Result<bool> {
        match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(data) => Ok(FileType::from_raw_mode(data.st_mode) != FileType::RegularFile),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Renames a file; an existing target is replaced, never followed.
    pub(in super::super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Renames a file to an unused name; `AlreadyExists` if it is used.
    pub(in super::super) fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        #[cfg(any(target_vendor = "apple", target_os = "linux", target_os = "android"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
                // Some file systems do not support it.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        rustix::fs::linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
        self.remove(from)
    }

    /// Removes a file; if it is a link, the link.
    pub(in super::super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// The names of its entries that are UTF-8.
    pub(in super::super) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            names.extend(entry?.file_name().to_str().ok().map(str::to_owned));
        }
        names.retain(|name| name != "." && name != "..");
        Ok(names)
    }
}

/// Why others may be able to write a file, now or later.
pub(in super::super) fn distrusted_file(data: &Metadata) -> Option<&'static str> {
    match data {
        data if !data.is_file() => Some("is not a regular file"),
        data if data.nlink() > 1 => Some("has several names (hard links)"),
        data => distrusted(data),
    }
}

fn distrusted(data: &Metadata) -> Option<&'static str> {
    if data.uid() != geteuid().as_raw() {
        Some("belongs to another user")
    } else if data.mode() & 0o022 != 0 {
        Some("can be written by other users")
    } else {
        None
    }
}
