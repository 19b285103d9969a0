//! Escapes characters that change how surrounding text is displayed, in every output, with Rust's escapes.
//!
//! A terminal obeys control characters, and bidirectional overrides reorder text. Names, paths, source lines and
//! messages of other programs may contain both.

use std::{borrow::Cow, fmt::Write as _, path::Path};

/// Whether it is a control character, or an invisible one that only changes how others are displayed.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// A text of several lines: keeps line breaks and tabs.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t'))
}

/// A text with our own styles: also keeps colours. Its parts are already escaped.
pub fn styled(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_hidden(character) && !matches!(character, '\n' | '\t' | '\u{1b}'))
}

/// A name, a path or another part of a line: also escapes line breaks and tabs.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// A path as a part of a line.
pub fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

/// JSON text: the values of strings do not change.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_escaped = |character| is_hidden(character) && !matches!(character, '\n' | '\t' | '\r');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_escaped(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            it if !is_escaped(it) => shown.push(it),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            it => shown.extend(it.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lines_and_json() {
        let all = "a\u{1b}[31m\tb\u{202e}c\r\nd\u{e0041}\u{7f}\u{9b}\u{200d}é𝄞";
        assert_eq!(text(all), "a\\u{1b}[31m\tb\\u{202e}c\\r\nd\\u{e0041}\\u{7f}\\u{9b}\\u{200d}é𝄞");
        assert_eq!(line(all), "a\\u{1b}[31m\\tb\\u{202e}c\\r\\nd\\u{e0041}\\u{7f}\\u{9b}\\u{200d}é𝄞");
        assert_eq!(path(Path::new("a\n/b\u{1b}")), "a\\n/b\\u{1b}");
        assert_eq!(json("\"b\u{202e}\u{e0041}\"\n"), "\"b\\u202e\\udb40\\udc41\"\n");
    }

    #[test]
    fn what_is_harmless_stays() {
        for harmless in ["", "let x = 'é'; // 漢字 🦀 \u{300}", "a\n\tb"] {
            assert!(matches!(text(harmless), Cow::Borrowed(it) if it == harmless));
        }
        // Every reordering or hidden character is escaped in any context.
        let hidden = (0..=0x10_ffff).filter_map(char::from_u32).filter(|it| is_hidden(*it));
        for character in hidden {
            assert!(line(&format!("a{character}b")).chars().all(|it| !is_hidden(it)), "{character:?}");
        }
    }

    #[test]
    fn an_escaped_text_stays_as_it_is() {
        let once = text("a\u{202e}\u{1b}").into_owned();
        assert_eq!(text(&once), once);
    }
}
