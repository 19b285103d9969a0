//! Bounds of constants.
//!
//! * Symptom: generic arguments that are constants not known make the solver fail, and the harness with it.
//! * Test: `tests/suite/detect/harnesses/` passes without it too.
//! * Upstream: none known.
//! * Goes when: the solver answers instead; nothing is known that needs it.

use hir_ty::next_solver::{Clause, ClauseKind};
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Whether a bound is one of types, and the solver can be asked about it.
pub(crate) fn is_of_types(clause: &Clause<'_>) -> bool {
    matches!(clause.kind().skip_binder(), ClauseKind::Trait(_) | ClauseKind::Projection(_))
}
