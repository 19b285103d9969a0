//! How positions count columns: negotiated with the client.

use lsp_types::{Position, PositionEncodingKind};
use serde_json::Value;

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: what a client that says nothing means.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The first of the client's encodings that is known.
    pub(crate) fn negotiated(offered: Option<&Value>) -> Encoding {
        let offered = offered.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let mut known = offered.filter_map(|name| match name {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        });
        known.next().unwrap_or_default()
    }

    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The columns that a character takes.
    fn width(self, character: char) -> u32 {
        match self {
            Encoding::Utf8 => character.len_utf8() as u32,
            Encoding::Utf16 => character.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }

    /// The position of a place in a line, both counted from 1, the column in characters.
    pub(crate) fn position(self, text: &str, line: u32, column: u32) -> Position {
        let before = text.chars().take(column.saturating_sub(1) as usize);
        let character = before.map(|it| self.width(it)).sum();
        Position { line: line.saturating_sub(1), character }
    }

    /// The offset of a position in a text, in bytes; clamped to the end of the line or text.
    pub(crate) fn offset(self, text: &str, position: Position) -> usize {
        let mut start = 0;
        for _ in 0..position.line {
            match text[start..].find('\n') {
                Some(end) => start += end + 1,
                None => return text.len(),
            }
        }
        let line = text[start..].split('\n').next().unwrap_or_default();
        let mut column = 0;
        for (at, character) in line.char_indices() {
            if column >= position.character {
                return start + at;
            }
            column += self.width(character);
        }
        start + line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_clients_first_choice() {
        for (offered, chosen) in [
            (json!(["utf-32", "utf-8", "utf-16"]), Encoding::Utf32),
            (json!(["utf-8"]), Encoding::Utf8),
            (json!(["ebcdic", "utf-16", "utf-8"]), Encoding::Utf16),
            (json!(["ebcdic"]), Encoding::Utf16),
            (json!(7), Encoding::Utf16),
        ] {
            assert_eq!(Encoding::negotiated(Some(&offered)), chosen, "{offered}");
        }
        assert_eq!(Encoding::negotiated(None), Encoding::Utf16);
    }

    #[test]
    fn there_and_back() {
        let line = "aé𝄞b";
        for (encoding, columns) in
            [(Encoding::Utf8, [0, 1, 3, 7, 8]), (Encoding::Utf16, [0, 1, 2, 4, 5]), (Encoding::Utf32, [0, 1, 2, 3, 4])]
        {
            let text = format!("first\n{line}\n");
            for (number, character) in (0..).zip(columns) {
                let position = Position { line: 1, character };
                assert_eq!(encoding.position(line, 2, number + 1), position);
                let offset = "first\n".len() + line.chars().take(number as usize).map(char::len_utf8).sum::<usize>();
                assert_eq!(encoding.offset(&text, position), offset);
            }
        }
        // Within a character: behind it.
        assert_eq!(Encoding::Utf8.offset("𝄞b", Position { line: 0, character: 2 }), 4);
        assert_eq!(Encoding::Utf16.offset("𝄞b", Position { line: 0, character: 1 }), 4);
        assert_eq!(Encoding::Utf8.offset("b", Position { line: 9, character: 2 }), 1);
    }
}
