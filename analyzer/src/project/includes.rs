//! Files that a source file names besides its modules: `include!`, `include_str!`, `include_bytes!`.

use ra_ap_span::Edition;
use ra_ap_syntax::{AstToken, SourceFile, SyntaxKind, SyntaxToken, T, ast};

/// The paths in a file's calls of these macros, as they are written; only literals count.
pub(super) fn paths(text: &str, edition: Edition) -> Vec<String> {
    if !text.contains("include") {
        return Vec::new();
    }
    let parse = SourceFile::parse(text, edition);
    let tokens: Vec<SyntaxToken> = parse
        .syntax_node()
        .descendants_with_tokens()
        .filter_map(|it| it.into_token())
        .filter(|it| !it.kind().is_trivia())
        .collect();
    let of_call = |window: &[SyntaxToken]| {
        let [name, bang, open, path] = window else { return None };
        let is_call = matches!(name.text(), "include" | "include_str" | "include_bytes")
            && bang.kind() == T![!]
            && matches!(open.kind(), T!['('] | T!['['] | T!['{'])
            && path.kind() == SyntaxKind::STRING;
        if !is_call {
            return None;
        }
        Some(ast::String::cast(path.clone())?.value().ok()?.into_owned())
    };
    tokens.windows(4).filter_map(of_call).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_only() {
        let text = r##"
            #![doc = include_str!("README.md")]
            const A: &str = include_str!(r#"a\b.txt"#);
            fn f() { let b = include_bytes! [ "b\u{41}.bin" ]; include!(concat!("c", ".rs")); }
            m! { include_str!("in_macro") not_include_str!("x") }
            // include_str!("comment")
        "##;
        assert_eq!(paths(text, Edition::Edition2024), ["README.md", "a\\b.txt", "bA.bin", "in_macro"]);
    }
}
