//! Negative floating-point numbers in patterns: HIR has no literal for them, so the pattern is missing there, and a range is
//! open at that end.

use super::cx::Cx;
use crate::ir::{Const, Operand};
use hir_def::hir::{Literal, Pat};
use hir_ty::next_solver::Ty;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::{
    AstNode, SyntaxNode,
    ast::{self, RangeItem},
};

/// What HIR does not have of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MissingBound {
    /// A negative number.
    Number(Box<str>),
    /// Something else.
    Unknown,
}

/// The start and the end of a range, where HIR has none and the source one; what a literal is, as a start.
pub(super) type MissingBounds = (Option<MissingBound>, Option<MissingBound>);

/// Whether HIR may have lost a part of such a pattern.
pub(super) fn is_candidate(pat: &Pat) -> bool {
    matches!(pat, Pat::Missing | Pat::Range { start: None, .. } | Pat::Range { end: None, .. })
}

/// What HIR has lost of the pattern that a node is.
pub(super) fn missing_bounds(pat: &Pat, node: &SyntaxNode) -> Option<MissingBounds> {
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

impl<'db> Cx<'_, 'db> {
    /// The value of such an end in a pattern.
    pub(super) fn missing_bound(&mut self, end: &MissingBound, ty: Ty<'db>) -> Operand {
        match end {
            MissingBound::Number(number) => Operand::Const(Const::Float(number.clone(), ty.store())),
            MissingBound::Unknown => {
                let local = self.scratch(ty);
                self.gap_into(local.into(), "end of a range that is not understood");
                local.into()
            }
        }
    }
}
