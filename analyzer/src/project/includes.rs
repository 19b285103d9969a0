//! Files that a source file includes: `include!`, `include_str!`, `include_bytes!`; and its modules in files whose names do
//! not end in `.rs`, as ICU's data have them.

use crate::workarounds::source_depth;
use ra_ap_span::Edition;
use ra_ap_syntax::{
    AstNode, AstToken, SourceFile, SyntaxToken, T,
    ast::{self, HasAttrs},
};

/// A file that is included.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Included {
    /// As written in the source.
    pub(super) path: String,
    /// It is Rust source, whatever its name.
    pub(super) is_code: bool,
}

/// The paths in a file's calls of these macros and in its `#[path]` attributes; only literals count. A file that is nested
/// too deep is skipped.
pub(super) fn paths(text: &str, edition: Edition) -> Vec<Included> {
    let has_any = may_call(text) || text.contains("#[path");
    if !has_any || source_depth::too_deep(text, edition).is_some() {
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
            && matches!(open.kind(), T!['('] | T!['['] | T!['{']);
        if !is_call {
            return None;
        }
        Some(Included { path: literal(path)?, is_code: name.text() == "include" })
    };
    // The path of a module with a body is a folder.
    let modules = parse.syntax_node().descendants().filter_map(ast::Module::cast);
    let of_module = |module: ast::Module| {
        let is_file = module.item_list().is_none();
        let path = module.attrs().find(|it| it.simple_name().is_some_and(|it| it == "path"))?;
        let mut tokens = path.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
        let path = tokens.find_map(|it| literal(&it)).filter(|it| is_file && !it.ends_with(".rs"))?;
        Some(Included { path, is_code: true })
    };
    tokens.windows(4).filter_map(of_call).chain(modules.filter_map(of_module)).collect()
}

/// Whether one of the macros may be called. Their names are common words in comments, and parsing takes long.
fn may_call(text: &str) -> bool {
    const NAME: &str = "include";
    text.match_indices(NAME).any(|(at, _)| {
        let rest = &text[at + NAME.len()..];
        let rest = ["_str", "_bytes"].iter().find_map(|end| rest.strip_prefix(end)).unwrap_or(rest);
        // A comment may come before the exclamation mark.
        rest.trim_start().starts_with(['!', '/'])
    })
}

/// The value of a literal.
fn literal(token: &SyntaxToken) -> Option<String> {
    Some(ast::String::cast(token.clone())?.value().ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_only() {
        for text in ["include!(a)", "x = include_str !(a)", "include_bytes\n/* b */ ! [a]", "an include, include!()"] {
            assert!(may_call(text), "{text}");
        }
        for text in ["", "include", "included in", "#[cfg(include)]", "include_dir!(a)", "no include: !"] {
            assert!(!may_call(text), "{text}");
        }
    }

    #[test]
    fn literals_only() {
        let text = r##"
            #![doc = include_str!("README.md")]
            const A: &str = include_str!(r#"a\b.txt"#);
            fn f() { let b = include_bytes! [ "b\u{41}.bin" ]; include!(concat!("c", ".rs")); }
            m! { include_str!("in_macro") not_include_str!("x") }
            // include_str!("comment")
            #[path = "module.rs"] mod one;
            #[cfg(a)] #[path = "module.rs.data"] mod two;
            #[path = "."] mod three { mod four; }
        "##;
        let paths = paths(text, Edition::Edition2024).into_iter().map(|it| it.path);
        assert_eq!(Vec::from_iter(paths), ["README.md", "a\\b.txt", "bA.bin", "in_macro", "module.rs.data"]);
    }
}
