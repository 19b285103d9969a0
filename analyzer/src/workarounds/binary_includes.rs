//! Files that are included and are no text.
//!
//! * Symptom: `include_bytes!` of a file that is not UTF-8 is empty.
//! * Test: `macros/include_table`, and below.
//! * Upstream: none known.
//! * Goes when: the database holds bytes.
//!
//! The database holds texts only, so each of their bytes is a character there.

use std::borrow::Cow;

/// Stands before the bytes; no text begins so.
const MARK: &str = "\u{0}\u{f8ff}bytes\u{0}";

/// A file as the database holds it.
pub(crate) fn from_bytes(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => MARK.chars().chain(error.into_bytes().into_iter().map(char::from)).collect(),
    }
}

/// What the file holds.
pub(crate) fn bytes(held: &str) -> Cow<'_, [u8]> {
    match held.strip_prefix(MARK) {
        // Each of these characters was made of a byte.
        Some(rest) => rest.chars().map(|it| it as u8).collect(),
        None => held.as_bytes().into(),
    }
}

/// The file as a text, if it is one.
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
