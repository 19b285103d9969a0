//! The length of `include_bytes!`.
//!
//! * Symptom: the length of the array is unknown, and so is the layout of each type that contains it.
//! * Test: `macros/include_table`.
//! * Upstream: #12181.
//! * Goes when: inference knows the length of the file.
//!
//! The length is known again if a body includes only one file.

use hir_ty::next_solver::{DbInterner, Ty, TyKind};
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::{ConstKind, TypeFoldable, TypeFolder, TypeSuperFoldable, inherent::IntoKind};

/// The type with this length for each array of unknown length.
pub(crate) fn with_length<'db>(interner: DbInterner<'db>, ty: Ty<'db>, length: u64) -> Ty<'db> {
    ty.fold_with(&mut Lengths { interner, length })
}

struct Lengths<'db> {
    interner: DbInterner<'db>,
    length: u64,
}

impl<'db> TypeFolder<DbInterner<'db>> for Lengths<'db> {
    fn cx(&self) -> DbInterner<'db> {
        self.interner
    }

    fn fold_ty(&mut self, ty: Ty<'db>) -> Ty<'db> {
        match ty.kind() {
            TyKind::Array(element, length) if matches!(length.kind(), ConstKind::Error(_)) => {
                Ty::new_array(self.interner, element.fold_with(self), self.length)
            }
            _ => ty.super_fold_with(self),
        }
    }
}
