//! Templates of inline assembly.
//!
//! * Symptom: HIR has no template, and all assembly is uninterpreted; of `inout("dx") a => b` it has `a` twice.
//! * Test: `memory/assembly_without_instruction`, `threads/fence_by_assembly`.
//! * Upstream: none known.
//! * Goes when: HIR has the template and both operands.
//!
//! What has `=>` in it stays uninterpreted.

use ra_ap_syntax::{AstNode, SyntaxNode, T, ast};

/// The template, a line for each part, if all are literals and no operand goes out as another one.
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
