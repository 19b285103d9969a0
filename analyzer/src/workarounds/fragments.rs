//! Type fragments of a macro before `<`.
//!
//! * Symptom: `1 as $ty << n` in a macro is parsed as generic arguments, and the whole body is unknown (rand).
//! * Test: `macros/type_before_shift`, and below.
//! * Upstream: #20958, #3861.
//! * Goes when: a type fragment is one token tree.
//!
//! In `1 as $ty << 3`, rustc treats the fragment `$ty:ty` as one token tree. rust-analyzer inserts its tokens, and
//! `u32 << 3` starts generic arguments. So the two spaces become parentheses, `1 as($ty)<< 3`. This means the same to
//! rustc and keeps all offsets.

use ra_ap_syntax::{AstNode, Edition, SourceFile, SyntaxKind, SyntaxToken, T, ast::Item};

/// The text with such fragments in parentheses.
pub(crate) fn in_parentheses(mut text: String) -> String {
    if !may_have_fragment(&text) {
        return text;
    }
    for (before, after) in spaces(&text) {
        text.replace_range(before..=before, "(");
        text.replace_range(after..=after, ")");
    }
    text
}

fn may_have_fragment(text: &str) -> bool {
    text.split(" as $")
        .skip(1)
        .any(|rest| rest.trim_start_matches(|it: char| it == '_' || it.is_alphanumeric()).starts_with(" <"))
}

/// Offsets of the spaces before and after each fragment.
fn spaces(text: &str) -> Vec<(usize, usize)> {
    let file = SourceFile::parse(text, Edition::CURRENT).tree();
    let tokens: Vec<SyntaxToken> = file.syntax().descendants_with_tokens().filter_map(|it| it.into_token()).collect();
    let is_space = |token: &SyntaxToken| token.kind() == SyntaxKind::WHITESPACE && token.text() == " ";
    let found = tokens.windows(6).filter_map(|six| {
        let [keyword, before, dollar, name, after, angle] = six else { return None };
        let is_cast = keyword.kind() == T![as] && dollar.kind() == T![$] && angle.kind() == T![<];
        let is_fragment = is_cast && is_space(before) && is_space(after) && is_type(name);
        is_fragment.then(|| (before.text_range().start().into(), after.text_range().start().into()))
    });
    found.collect()
}

/// Whether the enclosing macro has a `ty` fragment with this name. Other fragments are tokens for rustc too.
fn is_type(name: &SyntaxToken) -> bool {
    let definition = name.parent_ancestors().filter_map(Item::cast).last();
    let Some(Item::MacroRules(_) | Item::MacroDef(_)) = &definition else { return false };
    let mut tokens = definition.iter().flat_map(|it| it.syntax().descendants_with_tokens());
    let mut tokens = std::iter::from_fn(|| tokens.find_map(|it| it.into_token().filter(|it| !it.kind().is_trivia())));
    while let Some(token) = tokens.next() {
        if token.kind() == T![$]
            && tokens.next().is_some_and(|it| it.text() == name.text())
            && tokens.next().is_some_and(|it| it.kind() == T![:])
            && tokens.next().is_some_and(|it| it.text() == "ty")
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::in_parentheses;

    #[test]
    fn types_before_angles_are_in_parentheses() {
        let macros = "macro_rules! m { ($t:ty, $i : ident) => { (1 as $t << 2, 1 as $t < 2, 1 as $i < 2) }; }";
        let meant = "macro_rules! m { ($t:ty, $i : ident) => { (1 as($t)<< 2, 1 as($t)< 2, 1 as $i < 2) }; }";
        assert_eq!(in_parentheses(macros.into()), meant);
        // Text in a string, and macro calls.
        for other in
            ["const TEXT: &str = \"macro_rules! $t:ty; 1 as $t << 2\";", "m! { ($t:ty) 1 as $t << 2 }", " as $"]
        {
            assert_eq!(in_parentheses(other.into()), other);
        }
    }
}
