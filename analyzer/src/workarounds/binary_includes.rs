//! Included files that are not UTF-8.
//!
//! * Symptom: `include_bytes!` of a file that is not UTF-8 is empty.
//! * Test: `macros/include_table`, and below.
//! * Upstream: none known.
//! * Goes when: the database holds bytes.
//!
//! The database holds only text, so each byte of such a file becomes one character there.

use std::borrow::Cow;

/// Prefix of an encoded file. No text file starts with it.
const MARK: &str = "\u{0}\u{f8ff}bytes\u{0}";

/// The text that the database holds for a file.
pub(crate) fn from_bytes(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => MARK.chars().chain(error.into_bytes().into_iter().map(char::from)).collect(),
    }
}

/// The content of a file.
pub(crate) fn bytes(held: &str) -> Cow<'_, [u8]> {
    match held.strip_prefix(MARK) {
        // Each of these characters encodes one byte.
        Some(rest) => rest.chars().map(|it| it as u8).collect(),
        None => held.as_bytes().into(),
    }
}

/// The content of a file, if it is text.
pub(crate) fn text(held: &str) -> Option<&str> {
    (!held.starts_with(MARK)).then_some(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let all: Vec<u8> = (0..=255).collect();
        for file in [all, b"text \xc3\xa9".to_vec(), Vec::new()] {
            let held = from_bytes(file.clone());
            assert_eq!(*bytes(&held), *file);
            assert_eq!(text(&held).is_some(), String::from_utf8(file).is_ok());
        }
    }
}
