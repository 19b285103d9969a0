//! Types whose size may differ from rustc's: futures, which hold a handle instead of their variables, and enums laid
//! out here, which always have a tag. In workspace code, the size of such a type is uninterpreted. Code that
//! allocates, in std and in other packages, gets the size used here.

use super::TypeCx;
use crate::workarounds::{hidden_tails, infinite_types};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

impl<'db> TypeCx<'db> {
    /// Whether a type's size may differ from rustc's.
    pub fn is_inexact(&mut self, ty: Ty<'db>) -> bool {
        // Infinitely sized types have no size.
        if !infinite_types::is_finite(self, ty) {
            return false;
        }
        let ty = hidden_tails::with_tail_pointers(self, ty);
        if !self.is_own_layout(ty) {
            return false;
        }
        match ty.kind() {
            TyKind::Coroutine(..) => true,
            TyKind::Pat(base, _) => self.is_inexact(base),
            TyKind::Array(elem, _) | TyKind::Slice(elem) => self.is_inexact(elem),
            TyKind::Adt(def, _) if matches!(def.def_id(), AdtId::EnumId(_)) => self.is_inexact_enum(ty, def.def_id()),
            TyKind::Adt(..) | TyKind::Tuple(..) | TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
                self.fields(ty, 0).into_iter().any(|field| self.is_inexact(field))
            }
            _ => false,
        }
    }

    fn is_inexact_enum(&mut self, ty: Ty<'db>, adt: AdtId) -> bool {
        let variants = 0..self.variant_count(adt);
        let mut payloads: Vec<Vec<Ty<'db>>> = variants.map(|variant| self.fields(ty, variant)).collect();
        if payloads.iter().flatten().any(|&field| self.is_inexact(field)) {
            return true;
        }
        let is_single = payloads.len() == 1;
        let has_bytes = |cx: &mut Self, field| cx.layout(field).map_or(true, |it| it.size > 0);
        payloads.retain(|fields| fields.iter().any(|&field| has_bytes(self, field)));
        match &payloads[..] {
            [] => false,
            _ if is_single => false,
            // The tag precedes the only field unless it is stored in a niche of the field.
            [fields] if let [field] = fields[..] => self.may_have_niche(field),
            _ => true,
        }
    }

    /// Whether a type may have a niche that an enclosing enum can use.
    fn may_have_niche(&mut self, ty: Ty<'db>) -> bool {
        let ty = hidden_tails::with_tail_pointers(self, ty);
        if !self.is_own_layout(ty) {
            let data = self.db.layout_of_ty(ty.store(), self.env().store());
            return data.map_or(true, |data| data.largest_niche.is_some());
        }
        match ty.kind() {
            TyKind::Array(elem, _) => self.may_have_niche(elem),
            TyKind::Adt(def, _) => match def.def_id() {
                AdtId::StructId(id) => {
                    let cell = self.interner.lang_items().UnsafeCell;
                    cell != Some(id) && self.fields(ty, 0).into_iter().any(|field| self.may_have_niche(field))
                }
                AdtId::UnionId(_) => false,
                AdtId::EnumId(_) => true,
            },
            TyKind::Tuple(..) => self.fields(ty, 0).into_iter().any(|field| self.may_have_niche(field)),
            _ => true,
        }
    }
}
