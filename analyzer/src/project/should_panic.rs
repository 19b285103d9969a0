//! `#[should_panic]`, as rustc reads it.

use crate::workarounds::line_continuations;
use ra_ap_cfg::CfgOptions;
use ra_ap_hir_expand::attrs::{AstKeyValueMetaExt, AstPathExt, expand_cfg_attr};
use ra_ap_syntax::{
    AstNode, AstToken, NodeOrToken, SyntaxToken, T,
    ast::{self, HasAttrs},
};
use std::ops::ControlFlow;

/// Whether a test passes when it panics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShouldPanic {
    /// It passes if it does not panic.
    No,
    /// It passes if it panics.
    Yes,
    /// It passes if the panic message contains this text.
    Saying(String),
}

impl ShouldPanic {
    /// From the attributes of a test; the last one counts.
    pub(super) fn of(test: &impl HasAttrs, cfg: &CfgOptions) -> ShouldPanic {
        let mut found = ShouldPanic::No;
        expand_cfg_attr::<()>(
            test.attrs(),
            || cfg,
            |meta, _| {
                if let Some(said) = read(&meta) {
                    found = said;
                }
                ControlFlow::Continue(())
            },
        );
        found
    }
}

/// From one attribute, if it is `should_panic`. A text that is not a literal is ignored: the test harness sees it
/// before macros are expanded.
fn read(meta: &ast::Meta) -> Option<ShouldPanic> {
    let path = match meta {
        ast::Meta::PathMeta(it) => it.path(),
        ast::Meta::KeyValueMeta(it) => it.path(),
        ast::Meta::TokenTreeMeta(it) => it.path(),
        _ => None,
    };
    if !path.is1("should_panic") {
        return None;
    }
    let text = match meta {
        ast::Meta::KeyValueMeta(it) => it.value_string()?.to_string(),
        ast::Meta::TokenTreeMeta(it) => expected(&it.token_tree()?)?,
        _ => return Some(ShouldPanic::Yes),
    };
    Some(ShouldPanic::Saying(text))
}

/// The text in `(expected = "text")`.
fn expected(tree: &ast::TokenTree) -> Option<String> {
    let tokens = tree.syntax().descendants_with_tokens().filter_map(NodeOrToken::into_token);
    let mut tokens = tokens.filter(|it| !it.kind().is_trivia()).skip(1);
    let (name, equals, text): (SyntaxToken, _, _) = (tokens.next()?, tokens.next()?, tokens.next()?);
    if name.text() != "expected" || equals.kind() != T![=] {
        return None;
    }
    line_continuations::value(&ast::String::cast(text)?)
}
