//! String continuation escapes: a `\` at the end of a line, which is removed together with the white space after it
//! (the Reference, "Tokens", "String continuation escapes").
//!
//! * Symptom: a literal with `\` before an empty line is empty; one that ends with a `\` keeps it.
//! * Test: `strings/continued`, `panics/continued_2018`.
//! * Upstream: #22986, for byte strings.
//! * Goes when: literals are unescaped as in rustc.
//!
//! The literal is empty if rustc only warns about it (an empty line follows the `\`). It keeps the `\` if that is its
//! last character and no other escape precedes it.

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

/// Literals and templates of a body that HIR has wrong.
#[derive(Default)]
pub(crate) struct Continued {
    /// The correct literals; `None` if the type is wrong too.
    pub(crate) literals: FxHashMap<ExprId, Option<Literal>>,
    /// Each `format_args!` with placeholders whose template is wrong.
    pub(crate) templates: Vec<ExprId>,
}

/// Compares a body with its source text.
pub(crate) fn of_body(db: &dyn HirDatabase, body: &Body, map: &BodySourceMap) -> Continued {
    let mut found = Continued::default();
    for (expr, what) in body.exprs() {
        if let Expr::Literal(literal) = what
            && is_candidate(literal)
            && let Ok(source) = map.expr_syntax(expr)
            && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
            && let Some(correct) = correct_literal(&node)
            && correct != *literal
        {
            // The length is part of the type.
            let is_typed = !matches!(literal, Literal::ByteString(_));
            found.literals.insert(expr, is_typed.then_some(correct));
        }
        if let Some(template) = template_of(body, expr)
            && may_have_continuation(text_of(body, template))
            && let Ok(source) = map.expr_syntax(expr)
            && source.value.syntax_node_ptr().kind() == SyntaxKind::FORMAT_ARGS_EXPR
            && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
            && let Some(correct) = misread_template(&node)
        {
            match (correct, what) {
                (Ok(text), Expr::Call { .. }) => drop(found.literals.insert(template, Some(text))),
                _ => found.templates.push(expr),
            }
        }
    }
    found
}

/// The literal with the text or the code of a possible `format_args!`.
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

/// Whether HIR may have a literal with continuations wrong.
fn is_candidate(literal: &Literal) -> bool {
    match literal {
        Literal::String(text) => may_have_continuation(text.as_str().as_bytes()),
        // Its escapes are removed if the literal is not empty.
        Literal::ByteString(bytes) => bytes.is_empty(),
        Literal::CString(bytes) => may_have_continuation(bytes),
        _ => false,
    }
}

/// The same for a text, which may be a template.
fn may_have_continuation(text: &[u8]) -> bool {
    text.is_empty() || text.windows(2).any(|two| two == b"\\\n")
}

/// The correct literal, if it has continuations.
fn correct_literal(node: &SyntaxNode) -> Option<Literal> {
    let literal = ast::Literal::cast(node.clone())?;
    Some(Literal::from(joined(literal.token().text())?.kind()))
}

/// The correct text of a `format_args!` that rust-analyzer reads differently; `Err` if it has placeholders.
fn misread_template(node: &SyntaxNode) -> Option<Result<Literal, HasPlaceholders>> {
    let ast::Expr::Literal(template) = ast::FormatArgsExpr::cast(node.clone())?.template()? else { return None };
    let LiteralKind::String(text) = template.kind() else { return None };
    let correct = value(&text)?;
    if text.value().is_ok_and(|read| read == correct) {
        return None;
    }
    let is_plain = !correct.replace("{{", "").replace("}}", "").contains(['{', '}']);
    let text = Symbol::intern(&correct.replace("{{", "{").replace("}}", "}"));
    Some(if is_plain { Ok(Literal::String(text)) } else { Err(HasPlaceholders) })
}

/// A template with placeholders.
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

/// The same literal without continuations; `None` if it has none.
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
                // This `\` escapes the next character, which starts no escape.
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
