//! What only the text of a body says, without saying where it stands: a body that moved is lowered as before (invariant 9).

use super::{
    guard,
    negative_floats::{self, MissingBounds},
    old_panic, unexpanded_calls,
};
use crate::workarounds::line_continuations;
use hir_def::{
    DefWithBodyId, HasModule as _,
    expr_store::Body,
    hir::{Array, Expr, ExprId, Literal, Pat, PatId, UnaryOp},
};
use hir_expand::{HirFileId, MacroCallId};
use hir_ty::db::HirDatabase;
use ra_ap_base_db::CrateOrigin;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNodePtr, T, ast};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What HIR does not have of a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SyntaxFacts {
    /// The macro calls that literals came from whose text may be rust-analyzer's own invention.
    pub(super) from_macros: FxHashMap<ExprId, MacroCallId>,
    /// Patterns of `super let`. Only macros of std write it.
    pub(super) super_lets: FxHashSet<PatId>,
    /// The ends of `a...b`, if both are plain literals.
    pub(super) old_ranges: FxHashMap<PatId, (Literal, Literal)>,
    /// Ends of ranges that HIR does not have, and literals that are missing there.
    pub(super) missing_bounds: FxHashMap<PatId, MissingBounds>,
    /// Statements whose macro came to nothing; [`crate::ir::Site::Macro`] counts them.
    pub(super) unexpanded_statements: Vec<unexpanded_calls::UnexpandedStatement>,
    /// The templates of inline assembly, a line for each, if they are literals and no operand goes out as another one.
    pub(super) assembly: FxHashMap<ExprId, Box<str>>,
    /// Negative literals that a macro was given as one expression and calls a method of, and the negations that
    /// rust-analyzer reads around the call: of `$e.abs()` with `-4` for `$e` it makes `-(4.abs())`.
    pub(super) negative: FxHashSet<ExprId>,
    /// What string literals mean that HIR has otherwise; `None` if their type is another one too.
    pub(super) line_continuations: FxHashMap<ExprId, Option<Literal>>,
    /// What a `panic!` of before edition 2021 says: of the `format_args!` that rust-analyzer has there, or of its only literal.
    pub(super) old_panics: FxHashMap<ExprId, Box<str>>,
    /// Expressions whose macro came to nothing, and what to say of them.
    pub(super) unexpanded: FxHashMap<ExprId, Box<str>>,
}

impl SyntaxFacts {
    /// Whether a macro came to nothing.
    pub(super) fn has_unexpanded(&self) -> bool {
        !(self.unexpanded_statements.is_empty() && self.unexpanded.is_empty())
    }
}

/// Reads the text of a body.
#[salsa::tracked(returns(clone))]
pub(super) fn syntax_facts(db: &dyn HirDatabase, def: DefWithBodyId) -> Arc<SyntaxFacts> {
    let body = Body::of(db, def);
    let (_, map) = Body::with_source_map(db, def);
    let facts = guard::caught(db, || {
        let calls = unexpanded_calls::calls(db, def);
        let unexpanded_statements = calls.statements.into_iter().map(|(statement, _)| statement).collect();
        let mut facts = SyntaxFacts { unexpanded_statements, unexpanded: calls.values, ..SyntaxFacts::default() };
        for (expr, what) in body.exprs() {
            let is_candidate = match what {
                Expr::Literal(literal) => {
                    matches!(literal, Literal::Int(0, _) | Literal::Uint(0, _) | Literal::String(_))
                }
                Expr::IncludeBytes => true,
                _ => false,
            };
            if is_candidate
                && let Ok(source) = map.expr_syntax(expr)
                && let Some(call) = source.file_id.macro_file()
            {
                facts.from_macros.insert(expr, call);
            }
        }
        for (expr, what) in body.exprs() {
            if let Expr::Literal(literal) = what
                && line_continuations::is_candidate(literal)
                && let Ok(source) = map.expr_syntax(expr)
                && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
                && let Some(meant) = line_continuations::meant(&node)
                && meant != *literal
            {
                // The length is a part of its type.
                let is_typed = !matches!(literal, Literal::ByteString(_));
                facts.line_continuations.insert(expr, is_typed.then_some(meant));
            }
            if let Some(template) = template_of(body, expr)
                && line_continuations::may_be(text_of(body, template))
                && let Ok(source) = map.expr_syntax(expr)
                && source.value.syntax_node_ptr().kind() == SyntaxKind::FORMAT_ARGS_EXPR
                && let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db))
                && let Some(meant) = line_continuations::misread_template(&node)
            {
                match (meant, what) {
                    (Ok(text), Expr::Call { .. }) => drop(facts.line_continuations.insert(template, Some(text))),
                    _ => {
                        let cause = "a format string that goes on behind an empty line";
                        facts.unexpanded.insert(expr, cause.into());
                    }
                }
            }
        }
        for (expr, what) in body.exprs() {
            if let Expr::UnaryOp { expr: inner, op: UnaryOp::Neg } = what
                && let Some(literal) = receiver(body, *inner)
                && let Ok(source) = map.expr_syntax(expr)
                && is_one_expression(db, source.file_id, source.value.syntax_node_ptr())
            {
                facts.negative.extend([expr, literal]);
            }
        }
        if !facts.negative.is_empty() && !facts.negative.is_subset(&executed(body)) {
            // Types are rust-analyzer's own to compute.
            facts.unexpanded.insert(body.root_expr(), "a negative literal in the length of an array".into());
        }
        facts.old_panics = old_panics(db, def);
        for (expr, _) in body.exprs().filter(|(_, what)| matches!(what, Expr::InlineAsm(_))) {
            let Ok(source) = map.expr_syntax(expr) else { continue };
            let node = source.value.syntax_node_ptr().to_node(&source.file_id.parse_or_expand(db));
            facts.assembly.extend(template(&node).map(|text| (expr, text)));
        }
        for (pat, what) in body.pats() {
            let Ok(source) = map.pat_syntax(pat) else { continue };
            let is_missing = matches!(what, Pat::Missing);
            let may_lack = negative_floats::is_candidate(what);
            if !(may_lack || source.file_id.is_macro()) {
                continue;
            }
            let root = source.file_id.parse_or_expand(db);
            let node = source.value.syntax_node_ptr().to_node(&root);
            if may_lack {
                facts.missing_bounds.extend(negative_floats::missing_bounds(what, &node).map(|ends| (pat, ends)));
            }
            if is_missing {
                facts.old_ranges.extend(old_range(&node).map(|ends| (pat, ends)));
            } else if node.ancestors().find_map(ast::LetStmt::cast).is_some_and(|it| it.super_token().is_some()) {
                facts.super_lets.insert(pat);
            }
        }
        facts
    });
    Arc::new(facts.unwrap_or_default())
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

/// What the old `panic!`s of a body say. std is of a later edition.
fn old_panics(db: &dyn HirDatabase, def: DefWithBodyId) -> FxHashMap<ExprId, Box<str>> {
    let mut found = FxHashMap::default();
    if matches!(def.module(db).krate(db).data(db).origin, CrateOrigin::Lang(_)) {
        return found;
    }
    let (body, map) = Body::with_source_map(db, def);
    for (expr, what) in body.exprs() {
        let said = match what {
            Expr::Block { .. } => expr,
            Expr::Call { args, .. } if let [text] = args[..] => text,
            _ => continue,
        };
        if let Ok(source) = map.expr_syntax(expr)
            && let Some(call) = source.file_id.macro_file()
        {
            found.extend(old_panic::text(db, call).map(|text| (said, text)));
        }
    }
    found
}

/// The expressions of a body but those in types and lengths.
fn executed(body: &Body) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    let mut open = vec![body.root_expr()];
    while let Some(expr) = open.pop() {
        if !found.insert(expr) {
            continue;
        }
        match &body[expr] {
            Expr::Array(Array::Repeat { initializer, .. }) => open.push(*initializer),
            _ => body.walk_child_exprs(expr, |child| open.push(child)),
        }
    }
    found
}

/// The literal that the innermost of several method calls is of.
fn receiver(body: &Body, expr: ExprId) -> Option<ExprId> {
    let Expr::MethodCall { receiver: inner, .. } = body[expr] else { return None };
    if matches!(body[inner], Expr::Literal(_)) { Some(inner) } else { receiver(body, inner) }
}

/// Whether a macro was given sign and literal of a negation, and the method calls between are its own. Tokens that were given
/// as such, one by one, look the same, and rustc reads those as rust-analyzer does; who writes a macro that way hardly means it.
fn is_one_expression(db: &dyn HirDatabase, file: HirFileId, node: SyntaxNodePtr) -> bool {
    if !file.is_macro() {
        return false;
    }
    let node = node.to_node(&file.parse_or_expand(db));
    let mut tokens =
        node.descendants_with_tokens().filter_map(|it| it.into_token()).filter(|it| !it.kind().is_trivia());
    let (Some(minus), Some(literal), Some(dot)) = (tokens.next(), tokens.next(), tokens.next()) else { return false };
    let spans = file.span_map(db);
    let [minus, literal, dot] = [minus, literal, dot].map(|it| spans.span_for_range(it.text_range()).ctx);
    minus == literal && literal != dot
}

/// Whether a template of inline assembly is nothing but comments and `nop`s.
pub(super) fn is_without_instruction(template: &str) -> bool {
    let mut rest = template;
    let mut code = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        let Some((_, after)) = comment.split_once("*/") else { return false };
        rest = after;
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.flat_map(|line| line.split(';')).all(|it| matches!(it.trim(), "" | "nop"))
}

fn template(node: &ra_ap_syntax::SyntaxNode) -> Option<Box<str>> {
    if node.descendants_with_tokens().any(|it| it.kind() == T![=>]) {
        return None;
    }
    let parts = ast::AsmExpr::cast(node.clone())?.template().map(|part| match part {
        ast::Expr::Literal(part) => match part.kind() {
            ast::LiteralKind::String(text) => Some(text.value().ok()?.into_owned()),
            _ => None,
        },
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("\n").into())
}

fn old_range(node: &ra_ap_syntax::SyntaxNode) -> Option<(Literal, Literal)> {
    node.children_with_tokens().find(|it| it.kind() == T![...])?;
    let mut ends = node.children().map(|it| {
        let literal = ast::LiteralPat::cast(it)?;
        if literal.minus_token().is_some() { None } else { Some(Literal::from(literal.literal()?.kind())) }
    });
    Some((ends.next()??, ends.next()??))
}
