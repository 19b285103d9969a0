//! Bounds on constants.
//!
//! * Symptom: unknown constants as generic arguments make the solver fail, and with it the harness.
//! * Test: `tests/suite/detect/harnesses/` passes without it too.
//! * Upstream: none known.
//! * Goes when: the solver handles them; no case that needs it is known.

use hir_ty::next_solver::{Clause, ClauseKind};
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Whether a bound is on types only, so that it can be passed to the solver.
pub(crate) fn is_of_types(clause: &Clause<'_>) -> bool {
    matches!(clause.kind().skip_binder(), ClauseKind::Trait(_) | ClauseKind::Projection(_))
}
