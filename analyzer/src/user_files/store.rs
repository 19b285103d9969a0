//! Kept files: files in the user's cache folder, each with a tag that only the user's key makes.
//!
//! Others who can put a file there, such as a repository that contains the cache folder, cannot forge one.

use super::{Header, UserFolder, UserKey};
use std::io;

/// A kind of kept files.
pub struct StoreKind {
    /// The folder in the user's cache.
    pub folder: &'static str,
    /// The first line of every file.
    pub header: Header,
    /// The suffix of file names, after hexadecimal digits.
    pub suffix: &'static str,
    /// Maximum size of a file, in bytes.
    pub limit: u64,
    /// Maximum number of files; the oldest are removed.
    pub kept: usize,
}

/// The kept files of one kind.
pub struct Store {
    kind: &'static StoreKind,
    folder: UserFolder,
    key: UserKey,
}

/// The result of a lookup.
#[derive(PartialEq, Eq, Debug)]
pub enum Stored {
    /// Nothing.
    Nothing,
    /// The content.
    Content(Vec<u8>),
    /// A file that we did not write in this form; it has been removed.
    Damaged,
}

impl Store {
    /// Opens a kind's folder.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), or it cannot be created or trusted.
    pub fn open(kind: &'static StoreKind) -> io::Result<Store> {
        Ok(Store { kind, folder: UserFolder::cache(kind.folder)?, key: UserKey::open()? })
    }

    /// A file name for a text that does not reveal it, in hexadecimal digits.
    pub fn name_of(&self, text: &str) -> String {
        self.key.tag("name", text.as_bytes())
    }

    /// Reads the file with this name.
    ///
    /// # Errors
    ///
    /// If the file is not ours, or cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Stored> {
        let file = self.file(name);
        let bytes = match self.folder.read(&file, self.kind.header, self.kind.limit) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Stored::Nothing),
            // A file that was cut off within its header is ours and removed; others stay, and the first error is
            // returned.
            Err(error) => {
                return self.folder.remove(&file, self.kind.header).map(|_| Stored::Damaged).map_err(|_| error);
            }
        };
        let content = verified(&self.key, &self.purpose(name), &bytes).map(<[u8]>::to_vec);
        match content {
            Some(content) => Ok(Stored::Content(content)),
            None => self.remove(name).map(|()| Stored::Damaged),
        }
    }

    /// Removes the file with this name.
    ///
    /// # Errors
    ///
    /// If it is not ours, or cannot be removed.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(&self.file(name), self.kind.header).map(|_| ())
    }

    /// Writes a file with this name, unless it is too large.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut bytes = self.key.tag(&self.purpose(name), content).into_bytes();
        bytes.push(b'\n');
        bytes.extend(content);
        if bytes.len() as u64 > self.kind.limit {
            return Ok(());
        }
        self.folder.write(&self.file(name), self.kind.header, &bytes)
    }

    /// Removes files beyond the maximum number, and abandoned drafts.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn clean(&self) -> io::Result<()> {
        let is_name = |file: &str| {
            let name = file.strip_suffix(self.kind.suffix);
            name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
        };
        self.folder.keep_newest(self.kind.kept, self.kind.header, is_name)
    }

    fn file(&self, name: &str) -> String {
        format!("{name}{}", self.kind.suffix)
    }

    /// The tag covers the file name.
    fn purpose(&self, name: &str) -> String {
        format!("{} {name}", self.kind.folder)
    }
}

/// The content after the line with the tag, if the tag is right.
pub fn verified<'a>(key: &UserKey, purpose: &str, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (tag, content) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]);
    key.is_tag(purpose, content, tag).then_some(content)
}
