//! Conversion between paths and URIs.

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// Characters of a path that a URI leaves unescaped (RFC 3986, "unreserved", and the slash).
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The URI of an absolute path; `None` if it is not UTF-8.
pub(crate) fn of_path(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&text, KEPT)).parse().ok()
}

/// The path of a URI; `None` if it is not a file's.
pub(crate) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    // A slash comes before a drive.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    Some(PathBuf::from(if is_drive { &path[1..] } else { &path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (path, uri) in [
            ("/a/b.rs", "file:///a/b.rs"),
            ("/with space/ü#?.rs", "file:///with%20space/%C3%BC%23%3F.rs"),
            ("C:/x/y.rs", "file:///C%3A/x/y.rs"),
        ] {
            let made = of_path(Path::new(path)).unwrap();
            assert_eq!(made.as_str(), uri);
            assert_eq!(to_path(&made), Some(path.into()));
        }
        assert_eq!(to_path(&"file://host/a".parse().unwrap()), Some("/a".into()));
        assert_eq!(to_path(&"untitled:Untitled-1".parse().unwrap()), None);
    }
}
