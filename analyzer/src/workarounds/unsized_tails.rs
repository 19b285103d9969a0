//! Structs whose last field may be unsized.
//!
//! * Symptom: the last field is reordered, and `&Mutex<T>` cannot be coerced to `&Mutex<dyn Trait>`.
//! * Test: `dyn/unsized_tails`.
//! * Upstream: none known.
//! * Goes when: the field stays last.
//!
//! rustc keeps it last even if it is sized; such a struct is laid out in `types::layout`.

use crate::types::TypeCx;
use hir_def::{AdtId, GenericDefId, attrs::AttrFlags};
use hir_ty::next_solver::GenericArgs;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{TypeVisitableExt, inherent::GenericArgs as _};

/// Whether a type is a struct of several fields, the last of which may be unsized.
pub(crate) fn may_have_one(cx: &mut TypeCx<'_>, adt: AdtId) -> bool {
    let AdtId::StructId(id) = adt else { return false };
    if let Some(&known) = cx.unsized_tails.get(&adt) {
        return known;
    }
    let repr = AttrFlags::repr(cx.db, adt).unwrap_or_default();
    let interner = cx.interner;
    let env = cx.db.trait_environment(GenericDefId::AdtId(adt));
    let answer = !repr.inhibit_struct_field_reordering() && {
        let types = cx.db.field_types(id.into());
        let last = types.iter().next_back().map(|(_, field)| field.ty().instantiate_identity().skip_norm_wip());
        let generic = last.is_some_and(|last| last.has_param());
        let args = GenericArgs::identity_for_item(interner, adt.into());
        types.iter().count() > 1
            && !args.is_empty()
            && generic
            && last.is_some_and(|last| !cx.infcx().type_is_sized_modulo_regions(env, last))
    };
    cx.unsized_tails.insert(adt, answer);
    answer
}
