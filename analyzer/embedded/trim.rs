//! Takes comments and attributes that nothing reads out of Rust source without moving a line.
//!
//! Shared by `build.rs`, which trims std with it, and by a test.

/// Starts of attributes that neither rust-analyzer nor we read. They are a fifth of std's tokens, and half of those of its
/// number macros after comments and docs.
const UNREAD: [&[u8]; 11] = [
    b"#[stable(",
    b"#[rustc_const_stable(",
    b"#[inline]",
    b"#[inline(",
    b"#[must_use]",
    b"#[must_use =",
    b"#[must_use=",
    b"#[deprecated(",
    b"#[deprecated]",
    b"#[doc(alias",
    b"#[rustc_on_unimplemented(",
];

/// The kind of the tokens between two brackets.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    /// Code, also that of a macro's right side.
    Code,
    /// The rules of a macro; whether a left side is next.
    Rules { left: bool },
    /// Tokens that a macro matches: arguments of a call, or the left side of a rule.
    Matched,
}

/// The source with every comment, every `#[doc = …]` and every unread attribute blanked; line numbers stay.
pub(crate) fn trim(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 2);
    let mut groups = vec![Group::Code];
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let is_code = groups.last() == Some(&Group::Code);
        match rest[0] {
            b'(' | b'[' | b'{' => {
                let group = opened(&out, groups.last_mut());
                groups.push(group);
            }
            b')' | b']' | b'}' if groups.len() > 1 => drop(groups.pop()),
            _ => {}
        }
        let end = if let Some(length) = doc_attribute(rest).or_else(|| unread_attribute(rest).filter(|_| is_code)) {
            out.extend(rest[..length].iter().filter(|&&b| b == b'\n'));
            at += length;
            continue;
        } else if rest.starts_with(b"//") {
            while out.last() == Some(&b' ') {
                out.pop();
            }
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with(b"/*") {
            let length = block_comment(rest);
            out.extend(rest[..length].iter().filter(|&&b| b == b'\n'));
            // A comment separates tokens as a space does.
            out.push(b' ');
            at += length;
            continue;
        } else if let Some(length) = raw_string(rest, at > 0 && is_word(bytes[at - 1])) {
            length
        } else if rest[0] == b'"' {
            quoted(rest, b'"')
        } else if rest[0] == b'\'' && is_char(rest) {
            quoted(rest, b'\'')
        } else {
            1
        };
        let end = end.min(rest.len());
        out.extend_from_slice(&rest[..end]);
        at += end;
    }
    String::from_utf8(out).expect("comments begin and end at character boundaries")
}

/// Length of the attribute `#[doc = "…"]`, `#[doc = concat!(…)]` or `#![doc = include_str!(…)]` at the start.
///
/// One that a macro writes or matches (`#[doc = $text]`) stays.
fn doc_attribute(rest: &[u8]) -> Option<usize> {
    let starts: [&[u8]; 3] = [b"#[doc = \"", b"#[doc = concat!(", b"#![doc = include_str!("];
    if starts.iter().any(|start| rest.starts_with(start)) { attribute(rest) } else { None }
}

/// Length of the unread attribute at the start. One with parts from a macro's arguments stays.
fn unread_attribute(rest: &[u8]) -> Option<usize> {
    if !UNREAD.iter().any(|start| rest.starts_with(start)) {
        return None;
    }
    attribute(rest).filter(|length| !rest[..*length].contains(&b'$'))
}

/// The kind of the tokens in the bracket behind `before`.
fn opened(before: &[u8], around: Option<&mut Group>) -> Group {
    match around {
        Some(Group::Matched) => Group::Matched,
        Some(Group::Rules { left }) => {
            *left = !*left;
            if *left { Group::Code } else { Group::Matched }
        }
        _ => {
            let before = before.trim_ascii_end();
            let word = before.iter().rev().take_while(|&&byte| is_word(byte)).count();
            let is_definition = word > 0 && before[..before.len() - word].trim_ascii_end().ends_with(b"macro_rules!");
            match before {
                _ if is_definition => Group::Rules { left: true },
                [.., name, b'!'] if is_word(*name) => Group::Matched,
                _ => Group::Code,
            }
        }
    }
}

/// Length of the attribute at the start.
fn attribute(rest: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        match rest[at] {
            b'"' => at += quoted(&rest[at..], b'"') - 1,
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Length of the block comment at the start of `rest`; these nest.
fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Length of the raw string `r"…"`, `r#"…"#` (also after `b` or `c`, which are copied before) at the start.
fn raw_string(rest: &[u8], after_word: bool) -> Option<usize> {
    let prefix = match rest {
        [b'b' | b'c', b'r', ..] => 2,
        [b'r', ..] => 1,
        _ => return None,
    };
    if after_word {
        return None;
    }
    let hashes = rest[prefix..].iter().take_while(|&&b| b == b'#').count();
    let start = prefix + hashes;
    if rest.get(start) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    let body = &rest[start + 1..];
    let length = body.windows(close.len()).position(|window| window == close)?;
    Some(start + 1 + length + close.len())
}

/// Length of the literal with escapes at the start.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Whether the `'` at the start begins a character and not a lifetime.
fn is_char(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'\\') => true,
        Some(byte) if byte.is_ascii() => rest.get(2) == Some(&b'\''),
        Some(_) => true,
        None => false,
    }
}
