//! Writes and deletes all files of the product: in the user's cache, configuration and temporary folders, and files
//! that the user names.
//!
//! A repository must not control what is written where. So a folder is opened once, checked, and then used through its
//! handle: a link that replaces it meanwhile is not followed. Files appear atomically: a draft is written and renamed.
//! Only files with our header are ever replaced or deleted.

mod handle;
mod key;
mod output;
mod store;
mod temporary;

pub use key::UserKey;
pub use output::OutputFile;
pub use store::{Store, StoreKind, Stored, verified};
pub use temporary::TemporaryFolder;

use crate::escape;
use handle::Handle;
use std::{
    fs::{File, TryLockError},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The start of every header.
const OURS: &str = "tsvd-check ";
/// The name of a draft, before its random part.
const DRAFT: &str = "draft-";
/// The age after which a draft counts as abandoned if it cannot be locked (some file systems have no locks).
const STALE: Duration = Duration::from_secs(3600);
/// How often a draft is written again if another process has removed it as abandoned.
const ATTEMPTS: usize = 5;

/// The header of a kind of files: its first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header(&'static str);

impl Header {
    /// A header, such as `tsvd-check result 1`.
    ///
    /// # Panics
    ///
    /// If it does not start with `tsvd-check `, or is longer than a line.
    pub const fn new(line: &'static str) -> Header {
        let (line_bytes, start) = (line.as_bytes(), OURS.as_bytes());
        let mut index = 0;
        while index < line_bytes.len() {
            assert!(line_bytes[index] != b'\n', "a header is one line");
            assert!(index >= start.len() || line_bytes[index] == start[index], "a header starts with `tsvd-check `");
            index += 1;
        }
        assert!(index > start.len(), "a header names a kind");
        Header(line)
    }

    /// The content of a file, after its header. `None` if the file is not of this kind.
    fn content(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.strip_prefix(self.0.as_bytes())?.strip_prefix(b"\n")
    }
}

/// Whether a file with this beginning may be deleted: it has our header, or a prefix of it (cut off by a full disk, for
/// example).
fn has_our_start(bytes: &[u8], start: &str) -> bool {
    bytes.starts_with(start.as_bytes()) || start.as_bytes().starts_with(bytes)
}

/// A folder of the user's that only we use.
#[derive(Debug)]
pub struct UserFolder {
    path: PathBuf,
    handle: Handle,
}

impl UserFolder {
    /// The folder `tsvd-check/NAME` in the user's cache folder: `$XDG_CACHE_HOME`, else the system's default.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), if it cannot be created, or if others than the user can write it.
    pub fn cache(name: &str) -> io::Result<UserFolder> {
        UserFolder::open(&cache_base()?, &["tsvd-check", name])
    }

    /// The folder `tsvd-check` in the user's cache folder.
    fn cache_root() -> io::Result<UserFolder> {
        UserFolder::open(&cache_base()?, &["tsvd-check"])
    }

    /// The folder `tsvd-check` in the user's configuration folder: `$XDG_CONFIG_HOME`, else the system's default.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), if it cannot be created, or if others than the user can write it.
    pub fn config() -> io::Result<UserFolder> {
        UserFolder::open(&config_base()?, &["tsvd-check"])
    }

    /// The same if it exists; creates nothing.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or others than the user can write it.
    pub fn existing_config() -> io::Result<Option<UserFolder>> {
        let Ok(base) = config_base() else { return Ok(None) };
        match std::fs::symlink_metadata(base.join("tsvd-check")) {
            Ok(_) => UserFolder::open(&base, &["tsvd-check"]).map(Some),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// `base` and its parents may be links, the folders below it may not. Missing folders are created.
    fn open(base: &Path, below: &[&str]) -> io::Result<UserFolder> {
        let in_path =
            |path: &Path, error: &io::Error| io::Error::new(error.kind(), format!("{}: {error}", escape::path(path)));
        handle::create_folders(base).map_err(|error| in_path(base, &error))?;
        let mut path = base.to_path_buf();
        let mut handle = Handle::open(base).map_err(|error| in_path(base, &error))?;
        for name in below {
            path.push(name);
            handle = handle.folder(name).map_err(|error| in_path(&path, &error))?;
            if let Some(why) = handle.distrusted()? {
                return Err(refused(&path, why));
            }
        }
        Ok(UserFolder { path, handle })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file: the content after its header. `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// If it is longer than `limit`, or not one of our files.
    pub fn read(&self, name: &str, header: Header, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(file) = self.open_file(name)? else { return Ok(None) };
        let bytes = self.bytes(&file, name, limit)?;
        match header.content(&bytes) {
            Some(content) => Ok(Some(content.to_vec())),
            None => Err(self.refused(name, &format!("does not start with `{}`", header.0))),
        }
    }

    /// Writes a file atomically. An earlier file of this kind is replaced.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or if a file exists that is not ours.
    pub fn write(&self, name: &str, header: Header, content: &[u8]) -> io::Result<()> {
        self.check_ours(name, header)?;
        self.place(name, header, content, Handle::rename)
    }

    /// Creates a file unless one exists; if several processes do so at once, one succeeds. Returns whether this one
    /// did.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn create(&self, name: &str, header: Header, content: &[u8]) -> io::Result<bool> {
        match self.place(name, header, content, Handle::rename_new) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes one of our files. Returns whether it existed.
    ///
    /// # Errors
    ///
    /// If it cannot be removed, or is not one of our files.
    pub fn remove(&self, name: &str, header: Header) -> io::Result<bool> {
        if !self.check_ours(name, header)? {
            return Ok(false);
        }
        match self.handle.remove(name) {
            Ok(()) => Ok(true),
            // Another process was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(self.named(name, &error)),
        }
    }

    /// Removes the oldest of our files with an accepted name so that `kept` remain, and abandoned drafts.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn keep_newest(&self, kept: usize, header: Header, is_name: impl Fn(&str) -> bool) -> io::Result<()> {
        let names = self.handle.names()?;
        for draft in names.iter().filter(|name| is_draft(name)) {
            // If it cannot be removed now, a later call may succeed.
            let _ = self.remove_stale(draft);
        }
        let mut by_age: Vec<(SystemTime, String)> = names
            .into_iter()
            .filter(|name| is_name(name))
            .filter_map(|name| Some((self.open_file(&name).ok()??.metadata().ok()?.modified().ok()?, name)))
            .collect();
        by_age.sort();
        let surplus = by_age.len().saturating_sub(kept);
        for (_, name) in &by_age[..surplus] {
            // Other files stay.
            let _ = self.remove(name, header);
        }
        Ok(())
    }

    /// The names of the folder's entries, in no particular order.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn names(&self) -> io::Result<Vec<String>> {
        self.handle.names()
    }

    /// Opens a regular file that only the user can write.
    fn open_file(&self, name: &str) -> io::Result<Option<File>> {
        let file = match self.handle.file(name) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.named(name, &error)),
        };
        match handle::distrusted_file(&file.metadata()?) {
            None => Ok(Some(file)),
            Some(why) => Err(self.refused(name, why)),
        }
    }

    fn bytes(&self, file: &File, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(self.refused(name, &format!("is longer than {limit} bytes")));
        }
        Ok(bytes)
    }

    /// Whether the file exists; an error if it is not ours.
    fn check_ours(&self, name: &str, header: Header) -> io::Result<bool> {
        let Some(file) = self.open_file(name)? else { return Ok(false) };
        let line = header.0.len() as u64 + 1;
        let mut start = Vec::new();
        (&file).take(line).read_to_end(&mut start)?;
        if has_our_start(&start, &format!("{}\n", header.0)) {
            return Ok(true);
        }
        Err(self.refused(name, &format!("does not start with `{}`", header.0)))
    }

    /// Writes a draft and renames it.
    fn place(
        &self,
        name: &str,
        header: Header,
        content: &[u8],
        rename: impl Fn(&Handle, &str, &str) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut lost = None;
        for _ in 0..ATTEMPTS {
            let draft = draft_name()?;
            let mut file = self.handle.create_new(&draft).map_err(|error| self.named(&draft, &error))?;
            // The lock tells other processes that the draft is in use. Some file systems have no locks.
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                continue;
            }
            let text = [header.0.as_bytes(), b"\n", content];
            let written =
                text.iter().try_for_each(|part| file.write_all(part)).and_then(|()| rename(&self.handle, &draft, name));
            match written {
                Ok(()) => return Ok(()),
                // Another process removed it as abandoned before it was locked.
                Err(error) if error.kind() == ErrorKind::NotFound => lost = Some(error),
                Err(error) => {
                    let _ = self.handle.remove(&draft);
                    return Err(self.named(name, &error));
                }
            }
        }
        Err(self.named(name, &lost.unwrap_or_else(|| ErrorKind::WouldBlock.into())))
    }

    /// Removes a draft that no process is writing.
    fn remove_stale(&self, name: &str) -> io::Result<()> {
        let Some(file) = self.open_file(name)? else { return Ok(()) };
        let is_stale = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(_)) => {
                let age = SystemTime::now().duration_since(file.metadata()?.modified()?);
                age.is_ok_and(|age| age > STALE)
            }
        };
        let mut start = Vec::new();
        (&file).take(OURS.len() as u64).read_to_end(&mut start)?;
        if is_stale && has_our_start(&start, OURS) { self.handle.remove(name) } else { Ok(()) }
    }

    fn refused(&self, name: &str, why: &str) -> io::Error {
        refused(&self.path.join(name), why)
    }

    fn named(&self, name: &str, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", escape::path(&self.path.join(name))))
    }
}

/// The error for a path that is not used: the reason and a remedy.
fn refused(path: &Path, why: &str) -> io::Error {
    let message = format!("{} is not used: it {why}; move it away, and a new one is made", escape::path(path));
    io::Error::new(ErrorKind::PermissionDenied, message)
}

/// The user's configuration folder.
fn config_base() -> io::Result<PathBuf> {
    let below_home: &[&str] = match std::env::consts::OS {
        "macos" => &["Library", "Application Support"],
        _ => &[".config"],
    };
    base("XDG_CONFIG_HOME", "APPDATA", below_home)
}

/// The user's cache folder.
fn cache_base() -> io::Result<PathBuf> {
    let below_home: &[&str] = match std::env::consts::OS {
        "macos" => &["Library", "Caches"],
        _ => &[".cache"],
    };
    base("XDG_CACHE_HOME", "LOCALAPPDATA", below_home)
}

/// A base folder of the user's, from a variable or below the home folder. Relative paths are ignored: they would lead
/// into the checked project.
fn base(variable: &str, on_windows: &str, below_home: &[&str]) -> io::Result<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(path) = absolute(variable) {
        return Ok(path);
    }
    let found = match std::env::consts::OS {
        "windows" => absolute(on_windows),
        // A missing home folder is not created.
        _ => {
            absolute("HOME").filter(|home| home.is_dir()).map(|home| home.join(below_home.iter().collect::<PathBuf>()))
        }
    };
    found.ok_or_else(|| io::Error::new(ErrorKind::NotFound, format!("neither ${variable} nor a home folder is set")))
}

fn draft_name() -> io::Result<String> {
    Ok(format!("{DRAFT}{:032x}", u128::from_ne_bytes(random()?)))
}

fn is_draft(name: &str) -> bool {
    name.strip_prefix(DRAFT).is_some_and(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Unpredictable bytes.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
