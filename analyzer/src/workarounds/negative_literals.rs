//! Negative literals as macro fragments whose methods are called.
//!
//! * Symptom: `$e.abs()` with `-4` for `$e` is `-(4.abs())`.
//! * Test: `macros/negative_literals`.
//! * Upstream: #16168.
//! * Goes when: expansions keep fragments whole.

use hir_def::{
    expr_store::{Body, BodySourceMap},
    hir::{Array, Expr, ExprId, UnaryOp},
};
use hir_expand::HirFileId;
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::SyntaxNodePtr;
use rustc_hash::FxHashSet;

/// These literals of a body, and the negations that rust-analyzer parses around the calls.
pub(crate) fn of_body(db: &dyn HirDatabase, body: &Body, map: &BodySourceMap) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for (expr, what) in body.exprs() {
        if let Expr::UnaryOp { expr: inner, op: UnaryOp::Neg } = what
            && let Some(literal) = receiver(body, *inner)
            && let Ok(source) = map.expr_syntax(expr)
            && is_one_expression(db, source.file_id, source.value.syntax_node_ptr())
        {
            found.extend([expr, literal]);
        }
    }
    found
}

/// Whether one of them is in a type or array length, which rust-analyzer evaluates.
pub(crate) fn any_in_type(body: &Body, literals: &FxHashSet<ExprId>) -> bool {
    !literals.is_empty() && !literals.is_subset(&outside_types(body))
}

/// The expressions of a body, except those in types and array lengths.
fn outside_types(body: &Body) -> FxHashSet<ExprId> {
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

/// The literal that is the receiver of a chain of method calls.
fn receiver(body: &Body, expr: ExprId) -> Option<ExprId> {
    let Expr::MethodCall { receiver: inner, .. } = body[expr] else { return None };
    if matches!(body[inner], Expr::Literal(_)) { Some(inner) } else { receiver(body, inner) }
}

/// Whether a sign and a literal come from the macro's caller and the method calls on them from the macro. Separate
/// `tt` fragments look the same, and rustc parses those like rust-analyzer, but such macros are unlikely.
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
