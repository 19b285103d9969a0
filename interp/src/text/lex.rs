//! Tokens of the textual IR: words, numbers, strings, punctuation; `//` starts a comment.

use crate::text::ParseError;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Number {
        negative: bool,
        magnitude: u128,
    },
    Str(Vec<u8>),
    /// One character, or `->`, or `..`.
    Punct(&'a str),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Punct(text) => write!(f, "`{text}`"),
            Token::Number { negative, magnitude } => {
                write!(f, "`{}{magnitude}`", if *negative { "-" } else { "" })
            }
            Token::Str(_) => f.write_str("a string"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// An error at a byte offset of the text.
pub(super) fn error_at(text: &str, offset: usize, message: impl Into<String>) -> ParseError {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    ParseError {
        line: number(before.matches('\n').count() + 1),
        col: number(before[line_start..].chars().count() + 1),
        message: message.into(),
    }
}

/// All tokens with their byte offsets; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let second = rest[first.len_utf8()..].chars().next();
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let token = if first == '_' || first.is_alphabetic() {
            let len = length(rest, |c| c == '_' || c.is_alphanumeric());
            at += len;
            Token::Word(&rest[..len])
        } else if first.is_ascii_digit() || first == '-' && second.is_some_and(|c| c.is_ascii_digit()) {
            let digits = rest.trim_start_matches('-');
            let negative = first == '-';
            let len = length(digits, |c| c == '_' || c.is_alphanumeric());
            at += usize::from(negative) + len;
            let magnitude = number(&digits[..len]).ok_or_else(|| error_at(text, start, "not a number"))?;
            Token::Number { negative, magnitude }
        } else if first == '"' {
            let (bytes, len) = string(rest).map_err(|offset| error_at(text, start + offset, "malformed string"))?;
            at += len;
            Token::Str(bytes)
        } else {
            let two = rest.starts_with("->") || rest.starts_with("..");
            let len = if two { 2 } else { first.len_utf8() };
            at += len;
            Token::Punct(&rest[..len])
        };
        tokens.push((token, start));
    }
    tokens.push((Token::End, text.len()));
    Ok(tokens)
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn number(text: &str) -> Option<u128> {
    match text.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Bytes of the string at the start of `text`, and its length with the quotes; the error is the offset of a mistake.
fn string(text: &str) -> Result<(Vec<u8>, usize), usize> {
    let mut bytes = Vec::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((bytes, at + 1)),
            '\n' => return Err(at),
            '\\' => match chars.next().ok_or(at)?.1 {
                'n' => bytes.push(b'\n'),
                'r' => bytes.push(b'\r'),
                't' => bytes.push(b'\t'),
                '0' => bytes.push(0),
                escaped @ ('"' | '\\') => bytes.push(escaped as u8),
                'x' => {
                    let mut digit = || chars.next().and_then(|(_, c)| c.to_digit(16)).ok_or(at);
                    bytes.push((digit()? * 16 + digit()?) as u8);
                }
                _ => return Err(at),
            },
            _ => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(text.len())
}

/// A string token; unprintable bytes are escaped.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut out = String::from('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                _ if c.is_control() => {
                    let mut buffer = [0; 4];
                    for byte in c.encode_utf8(&mut buffer).bytes() {
                        out.push_str(&format!("\\x{byte:02x}"));
                    }
                }
                _ => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}
