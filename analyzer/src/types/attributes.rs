//! Function attributes that affect code generation, read from the source once per function and not per instance.

use hir_def::{FunctionId, Lookup, src::HasSource};
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::ast::HasAttrs;

/// Attributes of a function that affect code generation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Attributes {
    /// `#[track_caller]`.
    pub(super) tracks_caller: bool,
    /// `#[rustc_inherit_overflow_checks]`.
    pub(super) inherits_checks: bool,
}

/// The attributes of a function.
#[salsa::tracked(returns(copy))]
pub(super) fn of(db: &dyn HirDatabase, func: FunctionId) -> Attributes {
    let source = func.lookup(db).source(db).value;
    let mut found = Attributes::default();
    for name in source.attrs().filter_map(|attr| attr.simple_name()) {
        found.tracks_caller |= name == "track_caller";
        found.inherits_checks |= name == "rustc_inherit_overflow_checks";
    }
    found
}
