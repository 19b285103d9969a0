//! Newlines of `println!`, `eprintln!` and `writeln!`: `format_args_nl!` appends one to its template.
//!
//! * Symptom: `println!(r"text")` and `println!(concat!("a", "b"))` print no newline.
//! * Test: `strings/raw_lines`.
//! * Upstream: none known.
//! * Goes when: the newline is appended to every template, not only to a plain string literal.

use super::macro_text;
use hir_def::{
    expr_store::{Body, BodySourceMap},
    hir::{Expr, ExprId},
};
use hir_expand::{
    MacroDefKind,
    builtin::BuiltinFnLikeExpander,
    tt::{Leaf, LitKind, TtElement},
};
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_expand as hir_expand;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::SyntaxKind;
use rustc_hash::FxHashSet;

/// The expressions of a body that lack a newline: blocks with placeholders, and the literals of calls without.
pub(crate) fn of_body(db: &dyn HirDatabase, body: &Body, map: &BodySourceMap) -> FxHashSet<ExprId> {
    let mut found = FxHashSet::default();
    for (expr, what) in body.exprs() {
        let lacking = match what {
            Expr::Block { .. } => expr,
            Expr::Call { args, .. } if args.len() == 1 => args[0],
            _ => continue,
        };
        let Ok(source) = map.expr_syntax(expr) else { continue };
        if source.value.syntax_node_ptr().kind() != SyntaxKind::FORMAT_ARGS_EXPR {
            continue;
        }
        let Some(call) = source.file_id.macro_file() else { continue };
        let is_line = matches!(call.loc(db).def.kind, MacroDefKind::BuiltIn(_, BuiltinFnLikeExpander::FormatArgsNl));
        if is_line && !has_plain_template(macro_text::tokens(db, call).iter().next()) {
            found.insert(lacking);
        }
    }
    found
}

/// Whether the first token is a string literal that is not raw.
fn has_plain_template(first: Option<TtElement<'_>>) -> bool {
    matches!(first, Some(TtElement::Leaf(Leaf::Literal(literal))) if literal.kind == LitKind::Str)
}
