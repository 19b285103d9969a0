//! What we keep for the user: files in the cache folder, each with a tag that only the user's key makes.
//!
//! Whoever can put a file there, such as a repository that contains the cache folder, cannot make us believe it.

use analyzer::user_files::{Header, UserFolder, UserKey};
use std::io;

/// A kind of what is kept.
pub(crate) struct Kind {
    /// The folder in the user's cache.
    pub(crate) folder: &'static str,
    /// The first line of every file.
    pub(crate) header: Header,
    /// What names of files end with, after hexadecimal digits.
    pub(crate) suffix: &'static str,
    /// The most bytes of a file.
    pub(crate) limit: u64,
    /// How many files are kept; the oldest ones go.
    pub(crate) kept: usize,
}

/// What is kept of one kind.
pub(crate) struct Store {
    kind: &'static Kind,
    folder: UserFolder,
    key: UserKey,
}

/// What is found under a name.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// Nothing.
    Nothing,
    /// What was kept.
    Content(Vec<u8>),
    /// Something that we did not write so; it has been removed.
    Damaged,
}

impl Store {
    /// Opens a kind's folder.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), or it cannot be made or trusted.
    pub(crate) fn open(kind: &'static Kind) -> io::Result<Store> {
        Ok(Store { kind, folder: UserFolder::cache(kind.folder)?, key: UserKey::open()? })
    }

    /// A name that tells nothing of a text, in hexadecimal digits.
    pub(crate) fn name_of(&self, text: &str) -> String {
        self.key.tag("name", text.as_bytes())
    }

    /// Looks for what was kept under a name.
    ///
    /// # Errors
    ///
    /// If there is a file that is not ours, or cannot be read.
    pub(crate) fn read(&self, name: &str) -> io::Result<Stored> {
        let file = self.file(name);
        let bytes = match self.folder.read(&file, self.kind.header, self.kind.limit) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Stored::Nothing),
            // What was cut off within its header is ours, and goes; anything else stays, and the first error counts.
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

    /// Removes what is kept under a name.
    ///
    /// # Errors
    ///
    /// If it is not ours, or cannot be removed.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(&self.file(name), self.kind.header).map(|_| ())
    }

    /// Keeps something under a name. What is too long is not kept.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut bytes = self.key.tag(&self.purpose(name), content).into_bytes();
        bytes.push(b'\n');
        bytes.extend(content);
        if bytes.len() as u64 > self.kind.limit {
            return Ok(());
        }
        self.folder.write(&self.file(name), self.kind.header, &bytes)
    }

    /// Removes what is too old, and drafts that are left over.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub(crate) fn clean(&self) -> io::Result<()> {
        let is_name = |file: &str| {
            let name = file.strip_suffix(self.kind.suffix);
            name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
        };
        self.folder.keep_newest(self.kind.kept, self.kind.header, is_name)
    }

    fn file(&self, name: &str) -> String {
        format!("{name}{}", self.kind.suffix)
    }

    /// A file under another name is another one.
    fn purpose(&self, name: &str) -> String {
        format!("{} {name}", self.kind.folder)
    }
}

/// What follows the line with the tag, if the tag is right.
pub(crate) fn verified<'a>(key: &UserKey, purpose: &str, bytes: &'a [u8]) -> Option<&'a [u8]> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (tag, content) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]);
    key.is_tag(purpose, content, tag).then_some(content)
}
