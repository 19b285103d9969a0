//! The user's key: kept files carry a tag that only its owner can make.
//!
//! It is in the cache folder and bound to its own file: a key that was copied, or that a repository contains together
//! with the cache folder (as some continuous integration does), is different.

use super::{Header, UserFolder, random};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::{fs::Metadata, io};

const NAME: &str = "key";
const HEADER: Header = Header::new("tsvd-check key 1");
const BYTES: usize = 32;

/// A secret key of the user's.
pub struct UserKey([u8; BYTES]);

impl UserKey {
    /// A key that is not secret.
    pub fn from_bytes(bytes: [u8; BYTES]) -> UserKey {
        UserKey(bytes)
    }

    /// Opens the key; creates it at first use. Concurrent processes get the same key.
    ///
    /// # Errors
    ///
    /// If it can neither be read nor created, or if others than the user can read it.
    pub fn open() -> io::Result<UserKey> {
        UserKey::in_folder(&UserFolder::cache_root()?)
    }

    pub(super) fn in_folder(folder: &UserFolder) -> io::Result<UserKey> {
        if let Some(key) = UserKey::read(folder)? {
            return Ok(key);
        }
        let bytes: [u8; BYTES] = random()?;
        folder.create(NAME, HEADER, blake3::Hash::from_bytes(bytes).to_hex().as_bytes())?;
        // The key of another process that was faster.
        UserKey::read(folder)?.ok_or_else(|| folder.refused(NAME, "vanished"))
    }

    fn read(folder: &UserFolder) -> io::Result<Option<UserKey>> {
        let Some(file) = folder.open_file(NAME)? else { return Ok(None) };
        let data = file.metadata()?;
        if is_readable_by_others(&data) {
            return Err(folder.refused(NAME, "can be read by other users"));
        }
        let content = folder.bytes(&file, NAME, 1000)?;
        let content = HEADER.content(&content).unwrap_or_default();
        match blake3::Hash::from_hex(content) {
            Ok(secret) => {
                let mut hasher = blake3::Hasher::new();
                hasher.update(secret.as_bytes()).update(&identity(&data)?);
                Ok(Some(UserKey(hasher.finalize().into())))
            }
            Err(_) => Err(folder.refused(NAME, "is damaged")),
        }
    }

    /// The tag of some content in hexadecimal. It differs for each purpose.
    pub fn tag(&self, purpose: &str, content: &[u8]) -> String {
        self.hash(purpose, content).to_hex().to_string()
    }

    /// Whether the tag belongs to the content.
    pub fn is_tag(&self, purpose: &str, content: &[u8], tag: &str) -> bool {
        // Hashes are compared in constant time.
        blake3::Hash::from_hex(tag).is_ok_and(|tag| tag == self.hash(purpose, content))
    }

    fn hash(&self, purpose: &str, content: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        // The length makes the encoding of purpose and content unambiguous.
        hasher.update(&(purpose.len() as u64).to_le_bytes()).update(purpose.as_bytes()).update(content);
        hasher.finalize()
    }
}

/// The identity of a file, which a copy does not share: its inode number, and the time of the last metadata change,
/// which cannot be set.
#[cfg(unix)]
fn identity(data: &Metadata) -> io::Result<Vec<u8>> {
    let (number, seconds, nanoseconds) = (data.ino(), data.ctime(), data.ctime_nsec());
    Ok([number.to_le_bytes(), seconds.to_le_bytes(), nanoseconds.to_le_bytes()].concat())
}

/// The identity of a file, which a copy does not share.
#[cfg(not(unix))]
fn identity(data: &Metadata) -> io::Result<Vec<u8>> {
    let created = data.created()?.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default();
    Ok(created.as_nanos().to_le_bytes().to_vec())
}

#[cfg(unix)]
fn is_readable_by_others(data: &Metadata) -> bool {
    data.mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_readable_by_others(_: &Metadata) -> bool {
    false
}
