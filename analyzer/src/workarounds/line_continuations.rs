//! String literals that go on in the next line: a `\` at a line's end is nothing, and neither is the white space
//! behind it (the Reference, "Tokens", "String continuation escapes").
//!
//! * Symptom: a literal with `\` before an empty line is empty; one that ends with a `\` keeps it.
//! * Test: `strings/continued`, `panics/continued_2018`.
//! * Upstream: #22986, for byte strings.
//! * Goes when: literals are unescaped as by rustc.
//!
//! The literal is empty if rustc only warns of it (there is an empty line behind the `\`). It keeps its `\` if that
//! is behind the last character, and no other escape before it.

use hir_def::hir::Literal;
use ra_ap_hir_def as hir_def;
use ra_ap_intern::Symbol;
use ra_ap_syntax::{
    AstNode, AstToken, Edition, SyntaxNode,
    ast::{self, Expr, LiteralKind},
};

/// What HIR may have of a literal that goes on.
pub(crate) fn is_candidate(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => may_be(text.as_str().as_bytes()),
        // Its escapes are gone if there is anything left of it.
        Literal::ByteString(bytes) => bytes.is_empty(),
        Literal::CString(bytes) => may_be(bytes),
        _ => false,
    }
}

/// The same for its text, which may be that of a template.
pub(crate) fn may_be(text: &[u8]) -> bool {
    text.is_empty() || text.windows(2).any(|two| two == b"\\\n")
}

/// What a literal means, if it goes on.
pub(crate) fn meant(node: &SyntaxNode) -> Option<Literal> {
    let literal = ast::Literal::cast(node.clone())?;
    Some(Literal::from(joined(literal.token().text())?.kind()))
}

/// What the template of a `format_args!` says that rust-analyzer does not read as it is meant; `Err` if that has placeholders.
pub(crate) fn misread_template(node: &SyntaxNode) -> Option<Result<Literal, HasPlaceholders>> {
    let Expr::Literal(template) = ast::FormatArgsExpr::cast(node.clone())?.template()? else { return None };
    let LiteralKind::String(text) = template.kind() else { return None };
    let meant = value(&text)?;
    if text.value().is_ok_and(|read| read == meant) {
        return None;
    }
    let is_plain = !meant.replace("{{", "").replace("}}", "").contains(['{', '}']);
    let text = Symbol::intern(&meant.replace("{{", "{").replace("}}", "}"));
    Some(if is_plain { Ok(Literal::String(text)) } else { Err(HasPlaceholders) })
}

/// A template is not only text.
pub(crate) struct HasPlaceholders;

/// The value of a string literal.
pub(crate) fn value(text: &ast::String) -> Option<String> {
    let value = |text: &ast::String| Some(text.value().ok()?.into_owned());
    match joined(text.text()) {
        None => value(text),
        Some(joined) => match joined.kind() {
            LiteralKind::String(joined) => value(&joined),
            _ => None,
        },
    }
}

/// The same literal in one line; `None` if it does not go on.
fn joined(text: &str) -> Option<ast::Literal> {
    let is_raw = text.split('"').next().is_some_and(|prefix| prefix.contains('r'));
    if is_raw || !text.contains("\\\n") {
        return None;
    }
    let (mut rest, mut joined) = (text, String::with_capacity(text.len()));
    while let Some(at) = rest.find('\\') {
        joined.push_str(&rest[..at]);
        let escaped = &rest[at + 1..];
        rest = match escaped.strip_prefix('\n') {
            Some(behind) => behind.trim_start_matches([' ', '\t', '\n', '\r']),
            None => {
                // Another `\` is no escape of what follows it.
                let length = escaped.chars().next().map_or(0, char::len_utf8);
                joined.push('\\');
                joined.push_str(&escaped[..length]);
                &escaped[length..]
            }
        };
    }
    joined.push_str(rest);
    match Expr::parse(&joined, Edition::CURRENT).ok().ok()? {
        Expr::Literal(literal) => Some(literal),
        _ => None,
    }
}
