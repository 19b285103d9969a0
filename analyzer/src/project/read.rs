//! The only reader of a project's files: regular files of bounded size, opened without blocking.

use super::LoadError;
use crate::workarounds::{binary_includes, fragments, raw_repr};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read as _},
    path::Path,
};

/// Maximum size of a source file, in bytes.
pub const MAX_SOURCE: u64 = 64 << 20;

/// Maximum size of a manifest, a lock file or a configuration, in bytes.
pub const MAX_MANIFEST: u64 = 16 << 20;

/// Reads a file of at most `limit` bytes.
///
/// # Errors
///
/// If it does not exist, cannot be read, is longer, or is not a regular file: a device or a pipe may be endless.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    let unreadable = |error: io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => LoadError::NotFound(path.to_owned()),
        _ => LoadError::Unreadable(path.to_owned(), error),
    };
    let file = open_regular(path).map_err(unreadable)?.ok_or_else(|| LoadError::NotAFile(path.to_owned()))?;
    let data = file.metadata().map_err(unreadable)?;
    let too_large = || LoadError::TooLarge(path.to_owned(), limit);
    if data.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(data.len()).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a text of at most `limit` bytes.
///
/// # Errors
///
/// As [`read_file`], and if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, LoadError> {
    String::from_utf8(read_file(path, limit)?)
        .map_err(|error| LoadError::NotUtf8(path.to_owned(), error.utf8_error().valid_up_to()))
}

/// Reads a source file that must be there.
pub(super) fn read_source(path: &Path) -> Result<String, LoadError> {
    read_text(path, MAX_SOURCE).map(as_rustc_reads)
}

/// Reads a file that a source file includes: a text with its own line ends, or bytes.
pub(super) fn read_included(path: &Path) -> Result<String, LoadError> {
    if path.extension().is_some_and(|it| it == "rs") {
        read_text(path, MAX_SOURCE)
    } else {
        read_file(path, MAX_SOURCE).map(binary_includes::from_bytes)
    }
}

/// The text as rustc reads it: without byte order mark, with `\n` as line end also in string literals. It is also
/// rewritten where rust-analyzer cannot read it: attributes get plain words, and types in macros get parentheses.
pub(super) fn as_rustc_reads(text: String) -> String {
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    let text = if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text };
    fragments::in_parentheses(raw_repr::plain(text))
}

/// Opens a file; `None` if it is not a regular file.
pub(crate) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    // Opening a device may have an effect, so the path is checked first. It may be replaced meanwhile, so the open file
    // is checked too.
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let file = open(path)?;
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Opening a pipe blocks until its other end is opened, hence `NONBLOCK`.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::{fs::symlink, net::UnixListener};

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("device")).unwrap();
        symlink("loop", at("loop")).unwrap();
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        for name in ["pipe", "socket", "device", "."] {
            assert!(matches!(read_file(&at(name), 9), Err(LoadError::NotAFile(_))), "{name}");
        }
        assert!(matches!(read_file(&at("loop"), 9), Err(LoadError::Unreadable(..))));
        assert!(matches!(read_file(&at("none"), 9), Err(LoadError::NotFound(_))));
        assert!(matches!(read_file(&at("file/below"), 9), Err(LoadError::NotFound(_))));
        assert!(matches!(read_file(&at("file"), 3), Err(LoadError::TooLarge(_, 3))));
        assert_eq!(read_text(&at("link"), 4).unwrap(), "text");
    }

    /// Such files are longer than their reported length.
    #[test]
    fn a_file_that_is_longer_than_it_says() {
        assert!(matches!(read_file(Path::new("/proc/self/maps"), 9), Err(LoadError::TooLarge(_, 9))));
    }
}
