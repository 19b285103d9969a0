//! Every file that the product writes or deletes: in the user's cache, configuration and temporary folders, and files that
//! the user names.
//!
//! A repository must not choose what is written where. So a folder is opened once, checked, and then worked in through its
//! handle: a link that replaces it meanwhile is not followed. Files appear whole, by renaming a draft. Only files that carry
//! our header are ever replaced or deleted.

mod handle;
mod key;
mod output;
mod temporary;

pub use key::UserKey;
pub use output::OutputFile;
pub use temporary::TemporaryFolder;

use handle::Handle;
use std::{
    fs::{File, TryLockError},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Every header starts so.
const OURS: &str = "tsvd-check ";
/// The name of a draft, before its random part.
const DRAFT: &str = "draft-";
/// A draft that cannot be locked, as some file systems have no locks, is left over after this time.
const STALE: Duration = Duration::from_secs(3600);
/// How often a draft is made anew, should another process have taken it for a left-over.
const ATTEMPTS: usize = 5;

/// The header of a kind of files: their first line.
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

/// Whether a file that starts so may be deleted: it has our header, or was cut off before its end, such as by a full disk.
fn has_our_start(bytes: &[u8], start: &str) -> bool {
    bytes.starts_with(start.as_bytes()) || start.as_bytes().starts_with(bytes)
}

/// A folder of the user's that belongs to us alone.
#[derive(Debug)]
pub struct UserFolder {
    path: PathBuf,
    handle: Handle,
}

impl UserFolder {
    /// The folder `tsvd-check/NAME` in the user's cache folder: `$XDG_CACHE_HOME`, else where the system has it.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), if it cannot be made, or if it is not the user's alone.
    pub fn cache(name: &str) -> io::Result<UserFolder> {
        UserFolder::open(&cache_base()?, &["tsvd-check", name])
    }

    /// The folder `tsvd-check` in the user's cache folder.
    fn cache_root() -> io::Result<UserFolder> {
        UserFolder::open(&cache_base()?, &["tsvd-check"])
    }

    /// The folder `tsvd-check` in the user's configuration: `$XDG_CONFIG_HOME`, else where the system has it.
    ///
    /// # Errors
    ///
    /// If the user has no such folder (`NotFound`), if it cannot be made, or if it is not the user's alone.
    pub fn config() -> io::Result<UserFolder> {
        UserFolder::open(&config_base()?, &["tsvd-check"])
    }

    /// The same, if it is there; nothing is made.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not the user's alone.
    pub fn existing_config() -> io::Result<Option<UserFolder>> {
        let Ok(base) = config_base() else { return Ok(None) };
        match std::fs::symlink_metadata(base.join("tsvd-check")) {
            Ok(_) => UserFolder::open(&base, &["tsvd-check"]).map(Some),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// `base` and what is above it may be links, the folders below it may not. What is missing is made.
    fn open(base: &Path, below: &[&str]) -> io::Result<UserFolder> {
        let in_path =
            |path: &Path, error: &io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
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

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file: what follows its header. `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If it is longer than `limit`, or not a file of ours.
    pub fn read(&self, name: &str, header: Header, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(file) = self.open_file(name)? else { return Ok(None) };
        let bytes = self.bytes(&file, name, limit)?;
        match header.content(&bytes) {
            Some(content) => Ok(Some(content.to_vec())),
            None => Err(self.refused(name, &format!("does not start with `{}`", header.0))),
        }
    }

    /// Writes a file, whole or not at all. An earlier file of this kind is replaced.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or if something else than a file of ours is there.
    pub fn write(&self, name: &str, header: Header, content: &[u8]) -> io::Result<()> {
        self.check_ours(name, header)?;
        self.place(name, header, content, Handle::rename)
    }

    /// Writes a file unless there is one; of several processes that do so at once, one succeeds. Gives whether it was us.
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

    /// Removes a file of ours. Gives whether there was one.
    ///
    /// # Errors
    ///
    /// If it cannot be removed, or is not a file of ours.
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

    /// Removes the oldest files of ours of which the name is accepted, so that `kept` stay, and drafts that are left over.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn keep_newest(&self, kept: usize, header: Header, is_name: impl Fn(&str) -> bool) -> io::Result<()> {
        let names = self.handle.names()?;
        for draft in names.iter().filter(|name| is_draft(name)) {
            // What cannot be removed now may be later.
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
            // What is not ours stays.
            let _ = self.remove(name, header);
        }
        Ok(())
    }

    /// The names of what is in the folder, in no order.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn names(&self) -> io::Result<Vec<String>> {
        self.handle.names()
    }

    /// Opens a regular file of the user's that is nobody else's.
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

    /// Whether there is a file; an error if it is not ours.
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

    /// Writes a draft and gives it its name.
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
            // A lock tells other processes that the draft is in use. Some file systems have none.
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                continue;
            }
            let text = [header.0.as_bytes(), b"\n", content];
            let written =
                text.iter().try_for_each(|part| file.write_all(part)).and_then(|()| rename(&self.handle, &draft, name));
            match written {
                Ok(()) => return Ok(()),
                // Another process took it for a left-over before it was locked.
                Err(error) if error.kind() == ErrorKind::NotFound => lost = Some(error),
                Err(error) => {
                    let _ = self.handle.remove(&draft);
                    return Err(self.named(name, &error));
                }
            }
        }
        Err(self.named(name, &lost.unwrap_or_else(|| ErrorKind::WouldBlock.into())))
    }

    /// Removes a draft that no process writes any more.
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
        io::Error::new(error.kind(), format!("{}: {error}", self.path.join(name).display()))
    }
}

/// Says what is not used, and what to do about it.
fn refused(path: &Path, why: &str) -> io::Error {
    let message = format!("{} is not used: it {why}; move it away, and a new one is made", path.display());
    io::Error::new(ErrorKind::PermissionDenied, message)
}

/// The folder of the user's configuration.
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

/// A base folder of the user's, from a variable or below the home folder. A relative path would lead into what is checked.
fn base(variable: &str, on_windows: &str, below_home: &[&str]) -> io::Result<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(path) = absolute(variable) {
        return Ok(path);
    }
    let found = match std::env::consts::OS {
        "windows" => absolute(on_windows),
        // A home folder that is missing is not made.
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

/// Bytes that nobody else can know.
fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
