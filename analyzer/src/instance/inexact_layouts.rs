//! Types whose size here need not be rustc's: futures, which hold a handle in place of their variables, and enums laid out here,
//! which always have a tag. Code of the workspace that asks for the size of one gets no answer; what asks in order to allocate,
//! in std and in other packages, goes by the size that the values have here.

use super::{layout, program::Program, types};
use crate::workarounds::{hidden_tails, infinite_types};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Whether a type's size need not be rustc's.
pub(super) fn is_inexact<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> bool {
    // What has no end has no size.
    if !infinite_types::has_end(program, ty) {
        return false;
    }
    let ty = hidden_tails::with_ends(program, ty);
    if !layout::own(program, ty) {
        return false;
    }
    match ty.kind() {
        TyKind::Coroutine(..) => true,
        TyKind::Pat(base, _) => is_inexact(program, base),
        TyKind::Array(elem, _) | TyKind::Slice(elem) => is_inexact(program, elem),
        TyKind::Adt(def, _) if matches!(def.def_id(), AdtId::EnumId(_)) => is_inexact_enum(program, ty, def.def_id()),
        TyKind::Adt(..) | TyKind::Tuple(..) | TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
            types::fields(program, ty, 0).into_iter().any(|field| is_inexact(program, field))
        }
        _ => false,
    }
}

fn is_inexact_enum<'db>(program: &mut Program<'db>, ty: Ty<'db>, adt: AdtId) -> bool {
    let variants = 0..types::variant_count(program, adt);
    let mut payloads: Vec<Vec<Ty<'db>>> = variants.map(|variant| types::fields(program, ty, variant)).collect();
    if payloads.iter().flatten().any(|&field| is_inexact(program, field)) {
        return true;
    }
    let is_single = payloads.len() == 1;
    let has_bytes = |program: &mut Program<'db>, field| layout::layout(program, field).map_or(true, |it| it.size > 0);
    payloads.retain(|fields| fields.iter().any(|&field| has_bytes(program, field)));
    match &payloads[..] {
        [] => false,
        _ if is_single => false,
        // The tag is before the only field, if it is not within.
        [fields] if let [field] = fields[..] => may_have_niche(program, field),
        _ => true,
    }
}

/// Whether a type may have values to spare for the variants of an enum around it.
fn may_have_niche<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> bool {
    let ty = hidden_tails::with_ends(program, ty);
    if !layout::own(program, ty) {
        let data = program.db.layout_of_ty(ty.store(), program.env().store());
        return data.map_or(true, |data| data.largest_niche.is_some());
    }
    match ty.kind() {
        TyKind::Array(elem, _) => may_have_niche(program, elem),
        TyKind::Adt(def, _) => match def.def_id() {
            AdtId::StructId(id) => {
                let cell = program.interner.lang_items().UnsafeCell;
                cell != Some(id)
                    && types::fields(program, ty, 0).into_iter().any(|field| may_have_niche(program, field))
            }
            AdtId::UnionId(_) => false,
            AdtId::EnumId(_) => true,
        },
        TyKind::Tuple(..) => types::fields(program, ty, 0).into_iter().any(|field| may_have_niche(program, field)),
        _ => true,
    }
}
