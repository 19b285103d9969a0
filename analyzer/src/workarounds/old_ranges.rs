//! `a...b` patterns of the editions before 2021.
//!
//! * Symptom: HIR has no pattern for them, so it is unknown whether they match.
//! * Test: `drops/edition_2015`.
//! * Upstream: none known.
//! * Goes when: HIR has them as ranges.

use hir_def::hir::Literal;
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{AstNode, SyntaxNode, T, ast};

/// The bounds of such a pattern, if both are plain literals.
pub(crate) fn ends(node: &SyntaxNode) -> Option<(Literal, Literal)> {
    node.children_with_tokens().find(|it| it.kind() == T![...])?;
    let mut ends = node.children().map(|it| {
        let literal = ast::LiteralPat::cast(it)?;
        if literal.minus_token().is_some() { None } else { Some(Literal::from(literal.literal()?.kind())) }
    });
    Some((ends.next()??, ends.next()??))
}
