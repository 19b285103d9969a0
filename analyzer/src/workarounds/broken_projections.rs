//! Projections of types that contain errors.
//!
//! * Symptom: the solver replaces such a projection by an inference variable, does not expect it, and panics.
//! * Test: `tests/suite/project/macros.rs`.
//! * Upstream: none known.
//! * Goes when: the solver returns an error type.

use hir_ty::next_solver::Ty;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::TypeVisitableExt;

/// Whether a type may contain such a projection, so that it must not be passed to the solver.
pub(crate) fn may_have_one(ty: Ty<'_>) -> bool {
    ty.references_error() && ty.has_aliases()
}
