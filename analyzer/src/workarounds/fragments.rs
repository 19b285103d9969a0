//! Types that a macro was given, before `<`.
//!
//! * Symptom: `1 as $ty << n` in a macro is parsed as generic arguments, and the whole body is unknown (rand).
//! * Test: `macros/type_before_shift`, and below.
//! * Upstream: #20958, #3861.
//! * Goes when: a type fragment is one token tree.
//!
//! In `1 as $ty << 3` rustc takes what stands for `$ty:ty` as one thing, rust-analyzer as tokens, and then `u32 << 3`
//! begins with generic arguments. The two blanks become parentheses, `1 as($ty)<< 3`: the same to rustc, with
//! everything else where it was.

use ra_ap_syntax::{AstNode, Edition, SourceFile, SyntaxKind, SyntaxToken, T, ast::Item};

/// The text with such types in parentheses.
pub(crate) fn in_parentheses(mut text: String) -> String {
    if !may_have_one(&text) {
        return text;
    }
    for (before, behind) in blanks(&text) {
        text.replace_range(before..=before, "(");
        text.replace_range(behind..=behind, ")");
    }
    text
}

fn may_have_one(text: &str) -> bool {
    text.split(" as $")
        .skip(1)
        .any(|rest| rest.trim_start_matches(|it: char| it == '_' || it.is_alphanumeric()).starts_with(" <"))
}

/// Where the blanks are before and behind each.
fn blanks(text: &str) -> Vec<(usize, usize)> {
    let file = SourceFile::parse(text, Edition::CURRENT).tree();
    let tokens: Vec<SyntaxToken> = file.syntax().descendants_with_tokens().filter_map(|it| it.into_token()).collect();
    let is_blank = |token: &SyntaxToken| token.kind() == SyntaxKind::WHITESPACE && token.text() == " ";
    let found = tokens.windows(6).filter_map(|six| {
        let [keyword, before, dollar, name, behind, angle] = six else { return None };
        let is_cast = keyword.kind() == T![as] && dollar.kind() == T![$] && angle.kind() == T![<];
        let is_one = is_cast && is_blank(before) && is_blank(behind) && is_type(name);
        is_one.then(|| (before.text_range().start().into(), behind.text_range().start().into()))
    });
    found.collect()
}

/// Whether the macro around takes something of this name as a type; what it takes otherwise is tokens to rustc too.
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
        // Text, and what is no macro of its own.
        for other in
            ["const TEXT: &str = \"macro_rules! $t:ty; 1 as $t << 2\";", "m! { ($t:ty) 1 as $t << 2 }", " as $"]
        {
            assert_eq!(in_parentheses(other.into()), other);
        }
    }
}
