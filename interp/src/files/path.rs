//! Paths: bytes, absolute, without `.`, `..`, doubled or trailing slashes; the root is `/`.

/// Maximum length of a path with its NUL.
pub(crate) const LONGEST: usize = 4096;
/// Maximum length of a name.
const LONGEST_NAME: usize = 255;

/// A path relative to a folder, normalised. `..` is resolved lexically.
pub(crate) fn normal(folder: &[u8], path: &[u8]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = Vec::new();
    let start: &[u8] = if path.starts_with(b"/") { b"" } else { folder };
    for name in start.split(|byte| *byte == b'/').chain(path.split(|byte| *byte == b'/')) {
        match name {
            b"" | b"." => {}
            b".." => drop(names.pop()),
            _ => names.push(name),
        }
    }
    let mut normal = vec![b'/'];
    normal.extend(names.join(&b'/'));
    normal
}

/// Whether a path exceeds the maximum length.
pub(crate) fn is_too_long(path: &[u8]) -> bool {
    path.len() >= LONGEST || has_long_name(path)
}

/// Whether a name in a path exceeds the maximum length.
pub(crate) fn has_long_name(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').any(|name| name.len() > LONGEST_NAME)
}

/// The parent folder; `None` for the root.
pub(crate) fn parent(path: &[u8]) -> Option<&[u8]> {
    let slash = path.iter().rposition(|byte| *byte == b'/')?;
    match slash {
        0 if path.len() == 1 => None,
        0 => Some(b"/"),
        _ => Some(&path[..slash]),
    }
}

/// The name at the end of a path.
pub(crate) fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// The path of an entry of a folder.
pub(crate) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if folder == b"/" { b"" } else { b"/" };
    [folder, slash, name].concat()
}

/// The rest of a path below a folder.
pub(crate) fn below<'a>(folder: &[u8], path: &'a [u8]) -> Option<&'a [u8]> {
    let rest = path.strip_prefix(folder)?;
    let rest = if folder == b"/" { rest } else { rest.strip_prefix(b"/")? };
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normal() {
        let normal = |path: &str| String::from_utf8(super::normal(b"/home/me", path.as_bytes())).expect("text");
        assert_eq!(normal("a"), "/home/me/a");
        assert_eq!(normal("./a//b/."), "/home/me/a/b");
        assert_eq!(normal("../../../x/"), "/x");
        assert_eq!(normal("/"), "/");
        assert_eq!(normal("/a/../.."), "/");
        assert_eq!(normal("."), "/home/me");
    }

    #[test]
    fn folders_of_paths() {
        assert_eq!(parent(b"/a/b"), Some(&b"/a"[..]));
        assert_eq!(parent(b"/a"), Some(&b"/"[..]));
        assert_eq!(parent(b"/"), None);
        assert_eq!(below(b"/", b"/a/b"), Some(&b"a/b"[..]));
        assert_eq!(below(b"/a", b"/a/b"), Some(&b"b"[..]));
        assert_eq!(below(b"/a", b"/ab"), None);
        assert_eq!(below(b"/a", b"/a"), None);
        assert_eq!((join(b"/", b"a"), join(b"/a", b"b")), (b"/a".to_vec(), b"/a/b".to_vec()));
        assert!(is_too_long(&[b'a'; 256]) && !is_too_long(&[b'a'; 255]));
    }
}
