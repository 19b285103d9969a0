//! Functions of std whose calls can be promoted to statics.
//!
//! * Symptom: a borrow of such a call is not `'static`.
//! * Test: `consts/promotion`.
//! * Upstream: none known.
//! * Goes when: the attribute is kept.

use hir_def::{
    FunctionId, Lookup,
    signatures::{FnFlags, FunctionSignature},
    src::HasSource,
};
use hir_ty::db::HirDatabase;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use ra_ap_syntax::ast::HasAttrs;

/// Whether a function has the attribute `rustc_promotable`, which rust-analyzer does not keep.
pub(crate) fn is_one(db: &dyn HirDatabase, func: FunctionId) -> bool {
    if !FunctionSignature::of(db, func).flags.contains(FnFlags::CONST) {
        return false;
    }
    let source = func.lookup(db).source(db);
    source.value.attrs().any(|attr| attr.simple_name().is_some_and(|name| name == "rustc_promotable"))
}
