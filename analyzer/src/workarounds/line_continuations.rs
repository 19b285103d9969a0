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

use hir_def::{
    expr_store::{Body, BodySourceMap},
    hir::{Expr, ExprId, Literal},
};
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_intern::Symbol;
use ra_ap_syntax::{
    AstNode, AstToken, Edition, SyntaxKind, SyntaxNode,
    ast::{self, LiteralKind},
};
use rustc_hash::FxHashMap;

/// What a body's literals and templates mean, where HIR has something else.
#[derive(Default)]
pub(crate) struct Continued {
    /// What literals mean; `None` if their type is another one too.
    pub(crate) literals: FxHashMap<ExprId, Option<Literal>>,
    /// Each `format_args!` whose template is another one, with placeholders.
    pub(crate) templates: Vec<ExprId>,
}

/// Reads the text of a body.
pub(crate) fn of_body(db: &dyn HirDatabase, body: &Body, map: &BodySourceMap) -> Continued {
    let mut found = Continued::default();
    for (expr, what) in body.exprs() {
        if let Expr::Literal(literal) = what
            && is_candidate(literal)
            && let Ok(source) = map.expr_syntax(expr)
            && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
            && let Some(meant) = meant(&node)
            && meant != *literal
        {
            // The length is a part of its type.
            let is_typed = !matches!(literal, Literal::ByteString(_));
            found.literals.insert(expr, is_typed.then_some(meant));
        }
        if let Some(template) = template_of(body, expr)
            && may_be(text_of(body, template))
            && let Ok(source) = map.expr_syntax(expr)
            && source.value.syntax_node_ptr().kind() == SyntaxKind::FORMAT_ARGS_EXPR
            && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
            && let Some(meant) = misread_template(&node)
        {
            match (meant, what) {
                (Ok(text), Expr::Call { .. }) => drop(found.literals.insert(template, Some(text))),
                _ => found.templates.push(expr),
            }
        }
    }
    found
}

/// The literal that has the text or the code of what may be a `format_args!`.
fn template_of(body: &Body, expr: ExprId) -> Option<ExprId> {
    match &body[expr] {
        Expr::Block { tail: Some(tail), .. } | Expr::Unsafe { tail: Some(tail), .. } => template_of(body, *tail),
        Expr::Call { args, .. } => args.first().copied(),
        _ => None,
    }
}

fn text_of(body: &Body, literal: ExprId) -> &[u8] {
    match &body[literal] {
        Expr::Literal(Literal::String(text)) => text.as_str().as_bytes(),
        Expr::Literal(Literal::ByteString(code)) => code,
        _ => b"?",
    }
}

/// What HIR may have of a literal that goes on.
fn is_candidate(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => may_be(text.as_str().as_bytes()),
        // Its escapes are gone if there is anything left of it.
        Literal::ByteString(bytes) => bytes.is_empty(),
        Literal::CString(bytes) => may_be(bytes),
        _ => false,
    }
}

/// The same for its text, which may be that of a template.
fn may_be(text: &[u8]) -> bool {
    text.is_empty() || text.windows(2).any(|two| two == b"\\\n")
}

/// What a literal means, if it goes on.
fn meant(node: &SyntaxNode) -> Option<Literal> {
    let literal = ast::Literal::cast(node.clone())?;
    Some(Literal::from(joined(literal.token().text())?.kind()))
}

/// What the template of a `format_args!` says that rust-analyzer does not read as it is meant; `Err` if that has placeholders.
fn misread_template(node: &SyntaxNode) -> Option<Result<Literal, HasPlaceholders>> {
    let ast::Expr::Literal(template) = ast::FormatArgsExpr::cast(node.clone())?.template()? else { return None };
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
struct HasPlaceholders;

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
    match ast::Expr::parse(&joined, Edition::CURRENT).ok().ok()? {
        ast::Expr::Literal(literal) => Some(literal),
        _ => None,
    }
}
