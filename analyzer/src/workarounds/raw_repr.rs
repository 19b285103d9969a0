//! `#[repr(..)]` with raw identifiers.
//!
//! * Symptom: `#[r#repr(..)]` and `#[repr(r#..)]` are not recognised, so the type has another layout.
//! * Test: `layout/raw_repr`.
//! * Upstream: none known.
//! * Goes when: attributes compare names without `r#`.
//!
//! The `r#` is replaced by spaces when the text is loaded, so no offset changes.

use ra_ap_parser::{Edition, LexedStr, SyntaxKind, T};

/// The text with spaces instead of `r#` in such attributes.
pub(crate) fn plain(mut text: String) -> String {
    if !may_be_raw(&text) {
        return text;
    }
    let lexed = LexedStr::new(Edition::CURRENT, &text);
    let tokens: Vec<usize> = (0..lexed.len()).filter(|&token| !lexed.kind(token).is_trivia()).collect();
    let mut raw = Vec::new();
    for (at, window) in tokens.windows(3).enumerate() {
        let [hash, bracket, word] = [window[0], window[1], window[2]];
        let is_repr = lexed.kind(hash) == T![#]
            && lexed.kind(bracket) == T!['[']
            && matches!(lexed.text(word), "repr" | "r#repr");
        if is_repr {
            let words = tokens[at + 2..].iter().take_while(|&&token| lexed.kind(token) != T![']']);
            let is_raw = |token: usize| lexed.kind(token) == SyntaxKind::IDENT && lexed.text(token).starts_with("r#");
            raw.extend(words.filter(|&&token| is_raw(token)).map(|&token| lexed.text_start(token)));
        }
    }
    for start in raw {
        text.replace_range(start..start + 2, "  ");
    }
    text
}

/// Whether `r#` is near the word `repr`. Raw strings start with `r#` too, so this avoids lexing most texts.
fn may_be_raw(text: &str) -> bool {
    text.match_indices("repr(").any(|(at, word)| {
        let rest = &text[at + word.len()..];
        text[..at].ends_with("r#") || rest.split(')').next().is_some_and(|words| words.contains("r#"))
    })
}
