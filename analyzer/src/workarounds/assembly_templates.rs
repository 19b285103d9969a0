//! Templates of inline assembly.
//!
//! * Symptom: HIR has no template, so all inline assembly is uninterpreted; `inout("dx") a => b` has `a` as both
//!   operands.
//! * Test: `memory/assembly_without_instruction`, `threads/fence_by_assembly`.
//! * Upstream: none known.
//! * Goes when: HIR has the template and both operands.
//!
//! Assembly with `=>` stays uninterpreted.

use ra_ap_syntax::{AstNode, SyntaxNode, T, ast};

/// The template, one line per part, if all parts are literals and each operand uses one expression.
pub(crate) fn text(node: &SyntaxNode) -> Option<Box<str>> {
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
