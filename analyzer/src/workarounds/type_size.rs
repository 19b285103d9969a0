//! Sizes of types as trees.
//!
//! * Symptom: a type that doubles forty times is walked forever.
//! * Test: `tests/suite/safety/bombs.rs`.
//! * Upstream: none known.
//! * Goes when: walks over types are bounded.
//!
//! Types share their components, so such a type is small in memory; but most functions of rust-analyzer visit a
//! component each time it occurs.

use crate::budget::{self, Stop};
use hir_ty::next_solver::{DbInterner, Ty};
use ra_ap_hir_ty as hir_ty;
use rustc_hash::FxHashMap;
use rustc_type_ir::{TypeSuperVisitable, TypeVisitable, TypeVisitor};

/// Maximum number of components of a type. No published crate is known to reach a tenth of it.
const LARGEST: u64 = 100_000;

/// Number of components of each type visited.
#[derive(Default)]
pub(crate) struct TypeSizes<'db>(FxHashMap<Ty<'db>, u64>);

impl<'db> TypeSizes<'db> {
    /// Stops work on the current item if a type in `value` is too large.
    pub(crate) fn check(&mut self, value: &impl TypeVisitable<DbInterner<'db>>) {
        let mut sum = Sum { sizes: self, total: 0 };
        value.visit_with(&mut sum);
        if sum.total > LARGEST {
            budget::stop(Stop::Types);
        }
    }

    fn of(&mut self, ty: Ty<'db>) -> u64 {
        if let Some(known) = self.0.get(&ty) {
            return *known;
        }
        let mut sum = Sum { sizes: self, total: 1 };
        ty.super_visit_with(&mut sum);
        let size = sum.total;
        self.0.insert(ty, size);
        size
    }
}

struct Sum<'a, 'db> {
    sizes: &'a mut TypeSizes<'db>,
    total: u64,
}

impl<'db> TypeVisitor<DbInterner<'db>> for Sum<'_, 'db> {
    type Result = ();

    fn visit_ty(&mut self, ty: Ty<'db>) {
        self.total = self.total.saturating_add(self.sizes.of(ty));
    }
}
