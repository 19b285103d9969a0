//! Tokens of a text (the Reference, "Tokens").

use super::*;

/// The characters of punctuation.
pub(crate) const PUNCTUATION: &str = "=<>!~+-*/%^&|@.,;:#$?'";

/// Whether a text is an identifier, or `_`.
pub(crate) fn is_ident(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_ident) && chars.all(continues_ident)
}

fn starts_ident(char: char) -> bool {
    char == '_' || char.is_alphabetic()
}

fn continues_ident(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}

fn error(text: &str) -> LexError {
    LexError(String::from(text))
}

/// The one literal that a text is, with a sign if it is a number.
pub(crate) fn literal(text: &str) -> Result<Literal, LexError> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|it: char| it.is_ascii_digit()) => (1, rest),
        _ => (0, text),
    };
    match literal_length(digits)? {
        Some(length) if sign + length == text.len() => {
            Ok(Literal { text: text.into(), span: Span::call_site() })
        }
        _ => Err(error("not a literal")),
    }
}

/// The trees of a text.
pub(crate) fn tokens(text: &str) -> Result<Vec<TokenTree>, LexError> {
    let span = Span::call_site();
    let mut open: Vec<(Delimiter, Vec<TokenTree>)> = Vec::new();
    let mut trees: Vec<TokenTree> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(char) = rest.chars().next() else { break };
        if rest.starts_with("//") || rest.starts_with("/*") {
            let length = comment_length(rest)?;
            trees.extend(documentation(&rest[..length]).into_iter().flatten());
            rest = &rest[length..];
            continue;
        }
        if let Some(length) = literal_length(rest)? {
            trees.push(TokenTree::Literal(Literal { text: rest[..length].into(), span }));
            rest = &rest[length..];
            continue;
        }
        let (name, is_raw) = match rest.strip_prefix("r#") {
            Some(name) if name.starts_with(starts_ident) => (name, true),
            _ => (rest, false),
        };
        if name.starts_with(starts_ident) {
            let length = name.find(|it| !continues_ident(it)).unwrap_or(name.len());
            trees.push(TokenTree::Ident(Ident { text: name[..length].into(), is_raw, span }));
            rest = &name[length..];
            continue;
        }
        rest = &rest[char.len_utf8()..];
        match char {
            '(' => open.push((Delimiter::Parenthesis, std::mem::take(&mut trees))),
            '{' => open.push((Delimiter::Brace, std::mem::take(&mut trees))),
            '[' => open.push((Delimiter::Bracket, std::mem::take(&mut trees))),
            ')' | '}' | ']' => {
                let closed = match char {
                    ')' => Delimiter::Parenthesis,
                    '}' => Delimiter::Brace,
                    _ => Delimiter::Bracket,
                };
                match open.pop() {
                    Some((delimiter, around)) if delimiter == closed => {
                        let stream = TokenStream(Rc::new(std::mem::replace(&mut trees, around)));
                        trees.push(TokenTree::Group(Group { delimiter, stream, open: span, close: span }));
                    }
                    _ => return Err(error("mismatched delimiters")),
                }
            }
            '\'' if !rest.starts_with(starts_ident) => return Err(error("unterminated character literal")),
            _ if PUNCTUATION.contains(char) => {
                let is_joint = char == '\'' || {
                    let follows = rest.chars().next().is_some_and(|it| it != '\'' && PUNCTUATION.contains(it));
                    follows && !rest.starts_with("//") && !rest.starts_with("/*")
                };
                let spacing = if is_joint { Spacing::Joint } else { Spacing::Alone };
                trees.push(TokenTree::Punct(Punct { char, spacing, span }));
            }
            _ => return Err(error("unknown start of token")),
        }
    }
    match open.is_empty() {
        true => Ok(trees),
        false => Err(error("unclosed delimiter")),
    }
}

/// The length of the comment at the start of a text.
fn comment_length(text: &str) -> Result<usize, LexError> {
    if text.starts_with("//") {
        return Ok(text.find('\n').unwrap_or(text.len()));
    }
    let (bytes, mut at, mut depth) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Ok(at);
        }
    }
    Err(error("unterminated block comment"))
}

/// The attribute that a documentation comment stands for; `None` for other comments.
fn documentation(comment: &str) -> Option<Vec<TokenTree>> {
    let is_block = comment.starts_with("/*");
    let inside = if is_block { &comment[2..comment.len() - 2] } else { &comment[2..] };
    let is_inner = inside.starts_with('!');
    let mark = if is_block { '*' } else { '/' };
    let is_outer = inside.starts_with(mark) && !inside[1..].starts_with(mark);
    if !is_inner && !is_outer || comment == "/**/" {
        return None;
    }
    let text = &inside[1..];
    let text = if is_block { text } else { text.trim_end_matches('\r') };
    let span = Span::call_site();
    let punct = |char| TokenTree::Punct(Punct { char, spacing: Spacing::Alone, span });
    let name = TokenTree::Ident(Ident { text: "doc".into(), is_raw: false, span });
    let value = TokenTree::Literal(Literal::string(text));
    let stream = TokenStream(Rc::new(vec![name, punct('='), value]));
    let group = TokenTree::Group(Group { delimiter: Delimiter::Bracket, stream, open: span, close: span });
    let mut all = vec![punct('#')];
    if is_inner {
        all.push(punct('!'));
    }
    all.push(group);
    Some(all)
}

/// The length of the literal at the start of a text, with its suffix; `None` if there is none.
fn literal_length(text: &str) -> Result<Option<usize>, LexError> {
    let first = text.chars().next();
    if first.is_some_and(|it| it.is_ascii_digit()) {
        return Ok(Some(number_length(text)));
    }
    let prefix = ["br", "cr", "b", "c", "r"].into_iter().find(|it| {
        text.strip_prefix(it).is_some_and(|rest| {
            let raw = it.ends_with('r') && rest.trim_start_matches('#').starts_with('"');
            raw || rest.starts_with('"') || *it == "b" && rest.starts_with('\'')
        })
    });
    let prefix = prefix.unwrap_or("");
    let rest = &text[prefix.len()..];
    let length = if prefix.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let end = format!("\"{}", &rest[..hashes]);
        let body = &rest[hashes + 1..];
        let found = body.find(&end).ok_or_else(|| error("unterminated raw string"))?;
        hashes + 1 + found + end.len()
    } else if rest.starts_with('"') {
        1 + quoted_length(&rest[1..], '"').ok_or_else(|| error("unterminated double quote string"))?
    } else if rest.starts_with('\'') {
        let mut chars = rest[1..].chars();
        let (one, two) = (chars.next(), chars.next());
        let is_char = one == Some('\\') || two == Some('\'') && one != Some('\'');
        if !is_char {
            // A lifetime.
            return Ok(None);
        }
        1 + quoted_length(&rest[1..], '\'').ok_or_else(|| error("unterminated character literal"))?
    } else {
        return Ok(None);
    };
    let end = prefix.len() + length;
    Ok(Some(end + suffix_length(&text[end..])))
}

/// The length up to the quote that ends a literal, with it.
fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, char) in text.char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn suffix_length(text: &str) -> usize {
    match text.starts_with(starts_ident) {
        true => text.find(|it| !continues_ident(it)).unwrap_or(text.len()),
        false => 0,
    }
}

/// The length of a number with its suffix.
fn number_length(text: &str) -> usize {
    let is_decimal = !["0x", "0o", "0b"].iter().any(|it| text.starts_with(it));
    let bytes = text.as_bytes();
    let word = |from: usize| from + text[from..].find(|it| !continues_ident(it)).unwrap_or(text.len() - from);
    let mut end = word(0);
    let after_point = bytes.get(end + 1).copied();
    if is_decimal && bytes.get(end) == Some(&b'.') && !text[..end].contains(['e', 'E']) {
        let is_fraction = match after_point {
            Some(byte) if byte.is_ascii_digit() => true,
            // `1..2` and `1.max(2)` are several tokens, `1.` is one.
            Some(b'.' | b'_') => false,
            Some(_) => !text[end + 1..].starts_with(starts_ident),
            None => true,
        };
        if is_fraction {
            end = word(end + 1);
        }
    }
    let has_exponent = is_decimal && text[..end].ends_with(['e', 'E']);
    if has_exponent && matches!(bytes.get(end), Some(b'+' | b'-')) {
        end = word(end + 1);
    }
    end
}
