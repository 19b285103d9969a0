//! `super let`, which occurs only in macros of std.
//!
//! * Symptom: HIR has no flag for it, so the variable is dropped at the end of the inner block.
//! * Test: `drops/super_let`, `drops/pin_scope`.
//! * Upstream: none known.
//! * Goes when: HIR has a flag.

use ra_ap_syntax::{AstNode, SyntaxNode, ast};

/// Whether a pattern is that of a `super let`.
pub(crate) fn is_one(pattern: &SyntaxNode) -> bool {
    pattern.ancestors().find_map(ast::LetStmt::cast).is_some_and(|it| it.super_token().is_some())
}
