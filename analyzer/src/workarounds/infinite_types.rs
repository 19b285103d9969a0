//! Infinitely sized types, which occur only in half-typed code: `struct Node { next: Node }`.
//!
//! * Symptom: the search for the struct tail of a pointee overflows the stack.
//! * Test: `analyzer/tests/infinite_types.rs`.
//! * Upstream: #23335.
//! * Goes when: their layouts are errors.
//!
//! rustc rejects such types.

use crate::types::{TypeCx, upvars};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Maximum nesting of types by value. No real type reaches it.
const DEEPEST: usize = 200;
/// A type whose arguments grow more often than this, from one nested instance to the next, is infinite too.
const MAX_GROWTHS: usize = 8;

/// The structs and enums that contain the current type, with the sizes of their arguments.
#[derive(Default)]
struct TypeNesting(Vec<(AdtId, usize)>);

impl TypeNesting {
    /// Enters a type. Returns false if it is infinite, and true if [`Self::leave`] must be called.
    fn enter<'db>(&mut self, adt: AdtId, ty: Ty<'db>) -> bool {
        // Count a type that occurs several times once: counting the arguments of a type that doubles would not end.
        let size = ty.walk().count();
        let growths = self.0.iter().filter(|(known, smaller)| *known == adt && *smaller < size).count();
        let may_enter = growths <= MAX_GROWTHS && self.0.len() < DEEPEST;
        if may_enter {
            self.0.push((adt, size));
        }
        may_enter
    }

    fn leave(&mut self) {
        self.0.pop();
    }
}

/// Whether a type has a finite size: it does not contain itself, and the struct tails of its pointees are finite.
pub(crate) fn is_finite<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>) -> bool {
    is_finite_nested(cx, ty, &mut TypeNesting::default())
}

fn is_finite_nested<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, nesting: &mut TypeNesting) -> bool {
    match ty.kind() {
        TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Pat(elem, _) => is_finite_nested(cx, elem, nesting),
        TyKind::Tuple(tys) => {
            if let Some(&known) = cx.finite.get(&ty) {
                return known;
            }
            let answer = tys.iter().all(|ty| is_finite_nested(cx, ty, nesting));
            cx.finite.insert(ty, answer);
            answer
        }
        TyKind::Closure(..) | TyKind::CoroutineClosure(..) | TyKind::Coroutine(..) => upvars(ty).is_none_or(|tuple| {
            let tuple = cx.normalize(tuple);
            is_finite_nested(cx, tuple, nesting)
        }),
        TyKind::Ref(_, pointee, _) | TyKind::RawPtr(pointee, _) => has_finite_tail(cx, pointee),
        TyKind::Adt(def, _) => {
            if let Some(&known) = cx.finite.get(&ty) {
                return known;
            }
            if !nesting.enter(def.def_id(), ty) {
                return false;
            }
            // If the recursion reaches this type again, it contains itself.
            cx.finite.insert(ty, false);
            let answer = (0..cx.variant_count(def.def_id()))
                .all(|variant| cx.fields(ty, variant).into_iter().all(|field| is_finite_nested(cx, field, nesting)));
            cx.finite.insert(ty, answer);
            nesting.leave();
            answer
        }
        _ => true,
    }
}

/// Whether the chain of last fields of a pointee is finite.
fn has_finite_tail<'db>(cx: &mut TypeCx<'db>, pointee: Ty<'db>) -> bool {
    if let Some(&known) = cx.finite_tails.get(&pointee) {
        return known;
    }
    let (mut tail, mut nesting) = (pointee, TypeNesting::default());
    let answer = loop {
        let last = match tail.kind() {
            TyKind::Adt(def, _) if matches!(def.def_id(), AdtId::StructId(_)) => {
                if !nesting.enter(def.def_id(), tail) {
                    break false;
                }
                cx.fields(tail, 0).last().copied()
            }
            TyKind::Tuple(tys) => tys.iter().next_back(),
            _ => None,
        };
        match last {
            Some(last) => tail = last,
            None => break true,
        }
    };
    cx.finite_tails.insert(pointee, answer);
    answer
}
