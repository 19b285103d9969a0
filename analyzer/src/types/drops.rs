//! Which types need drop glue.

use super::TypeCx;
use crate::workarounds::infinite_types;
use hir_def::{
    AdtId,
    signatures::{StructFlags, StructSignature},
};
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashSet;
use rustc_type_ir::inherent::IntoKind;

impl<'db> TypeCx<'db> {
    /// Whether dropping a value of this type has an effect.
    pub fn needs_drop(&mut self, ty: Ty<'db>) -> bool {
        if let Some(&known) = self.drops.get(&ty) {
            return known;
        }
        // Infinitely sized types have no values.
        if !infinite_types::is_finite(self, ty) {
            return false;
        }
        // Cache only the root's result: results for types inside a cycle may be incomplete.
        let answer = self.find_drops(ty, &mut FxHashSet::default());
        self.drops.insert(ty, answer);
        answer
    }

    fn find_drops(&mut self, ty: Ty<'db>, visited: &mut FxHashSet<Ty<'db>>) -> bool {
        if let Some(&known) = self.drops.get(&ty) {
            return known;
        }
        match ty.kind() {
            TyKind::Adt(def, _) => {
                if !visited.insert(ty) {
                    return false;
                }
                let adt = def.def_id();
                if hir_ty::drop::destructor(self.db, adt).is_some() {
                    return true;
                }
                match adt {
                    AdtId::UnionId(_) => return false,
                    AdtId::StructId(id) => {
                        let skip = StructFlags::IS_MANUALLY_DROP | StructFlags::IS_PHANTOM_DATA;
                        if StructSignature::of(self.db, id).flags.intersects(skip) {
                            return false;
                        }
                    }
                    AdtId::EnumId(_) => {}
                }
                (0..self.variant_count(adt))
                    .any(|variant| self.fields(ty, variant).into_iter().any(|field| self.find_drops(field, visited)))
            }
            TyKind::Array(elem, len) => self.array_len(len) != Some(0) && self.find_drops(elem, visited),
            TyKind::Slice(elem) => self.find_drops(elem, visited),
            TyKind::Tuple(tys) => visited.insert(ty) && tys.iter().any(|ty| self.find_drops(ty, visited)),
            TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
                visited.insert(ty) && self.fields(ty, 0).into_iter().any(|field| self.find_drops(field, visited))
            }
            TyKind::Coroutine(..) | TyKind::Dynamic(..) => true,
            _ => false,
        }
    }
}
