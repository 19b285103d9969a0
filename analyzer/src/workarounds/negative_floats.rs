//! Negative floating-point numbers in patterns.
//!
//! * Symptom: HIR has no literal for them, so the pattern is missing, and a range is open at that end.
//! * Test: `patterns/negative_floats`.
//! * Upstream: none known.
//! * Goes when: HIR has a literal for them.

use hir_def::hir::{Literal, Pat};
use ra_ap_hir_def as hir_def;
use ra_ap_syntax::{
    AstNode, SyntaxNode,
    ast::{self, RangeItem},
};

/// A part of a pattern that is missing in HIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MissingBound {
    /// A negative number.
    Number(Box<str>),
    /// Something else.
    Unknown,
}

/// The start and end of a range that are missing in HIR. A literal pattern is a start.
pub(crate) type MissingBounds = (Option<MissingBound>, Option<MissingBound>);

/// Whether such a part may be missing in a pattern.
pub(crate) fn is_candidate(pat: &Pat) -> bool {
    matches!(pat, Pat::Missing | Pat::Range { start: None, .. } | Pat::Range { end: None, .. })
}

/// The parts of a pattern that are missing in HIR.
pub(crate) fn missing_bounds(pat: &Pat, node: &SyntaxNode) -> Option<MissingBounds> {
    let Pat::Range { start, end, .. } = pat else {
        return Some((Some(MissingBound::Number(negative(node)?)), None));
    };
    let range = ast::RangePat::cast(node.clone())?;
    let missing = |it: ast::Pat| negative(it.syntax()).map_or(MissingBound::Unknown, MissingBound::Number);
    let ends =
        (range.start().filter(|_| start.is_none()).map(missing), range.end().filter(|_| end.is_none()).map(missing));
    (ends != (None, None)).then_some(ends)
}

fn negative(node: &SyntaxNode) -> Option<Box<str>> {
    let literal = ast::LiteralPat::cast(node.clone())?;
    literal.minus_token()?;
    match Literal::from(literal.literal()?.kind()) {
        Literal::Float(number, _) => Some(format!("-{number}").into()),
        _ => None,
    }
}
