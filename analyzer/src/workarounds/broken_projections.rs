//! Projections of types with errors.
//!
//! * Symptom: the solver makes an inference variable of one, does not expect it, and panics.
//! * Test: `tests/suite/project/macros.rs`.
//! * Upstream: none known.
//! * Goes when: it becomes an error type.

use hir_ty::next_solver::Ty;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::TypeVisitableExt;

/// Whether a type may have one in it, so that the solver is not to be asked about it.
pub(crate) fn may_have_one(ty: Ty<'_>) -> bool {
    ty.references_error() && ty.has_aliases()
}
