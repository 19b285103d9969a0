//! Types without an end, which only half-typed code has: `struct Node { next: Node }`.
//!
//! * Symptom: a look for the last field of what a pointer leads to overflows the stack.
//! * Test: `analyzer/tests/infinite_types.rs`.
//! * Upstream: #23335.
//! * Goes when: their layouts are refused.
//!
//! rustc refuses such types themselves.

use crate::types::{TypeCx, upvars};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// No type that people write lies deeper in another.
const DEEPEST: usize = 200;
/// A type whose arguments grow on the way in, from one instance of it to the next, has no end either.
const MOST_GROWTHS: usize = 8;

/// The instances of structs and enums on the way in, each with the size of its arguments.
#[derive(Default)]
struct TypeNesting(Vec<(AdtId, usize)>);

impl TypeNesting {
    /// Goes one further in. False if it never ends there; each `enter` that gives true wants its [`Self::leave`].
    fn enter<'db>(&mut self, adt: AdtId, ty: Ty<'db>) -> bool {
        // Of types that occur in it more than once, one: else those that double could not be counted.
        let size = ty.walk().count();
        let growths = self.0.iter().filter(|(known, smaller)| *known == adt && *smaller < size).count();
        let goes = growths <= MOST_GROWTHS && self.0.len() < DEEPEST;
        if goes {
            self.0.push((adt, size));
        }
        goes
    }

    fn leave(&mut self) {
        self.0.pop();
    }
}

/// Whether a type has an end, so that its layout can be asked for: it does not contain itself, and what its pointers lead to
/// does not end in itself.
pub(crate) fn has_end<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>) -> bool {
    ends(cx, ty, &mut TypeNesting::default())
}

fn ends<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, way: &mut TypeNesting) -> bool {
    match ty.kind() {
        TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Pat(elem, _) => ends(cx, elem, way),
        TyKind::Tuple(tys) => {
            if let Some(&known) = cx.ends.get(&ty) {
                return known;
            }
            let answer = tys.iter().all(|ty| ends(cx, ty, way));
            cx.ends.insert(ty, answer);
            answer
        }
        TyKind::Closure(..) | TyKind::CoroutineClosure(..) | TyKind::Coroutine(..) => upvars(ty).is_none_or(|tuple| {
            let tuple = cx.normalize(tuple);
            ends(cx, tuple, way)
        }),
        TyKind::Ref(_, pointee, _) | TyKind::RawPtr(pointee, _) => tail_ends(cx, pointee),
        TyKind::Adt(def, _) => {
            if let Some(&known) = cx.ends.get(&ty) {
                return known;
            }
            if !way.enter(def.def_id(), ty) {
                return false;
            }
            // Whoever gets here again on the way in contains itself.
            cx.ends.insert(ty, false);
            let answer = (0..cx.variant_count(def.def_id()))
                .all(|variant| cx.fields(ty, variant).into_iter().all(|field| ends(cx, field, way)));
            cx.ends.insert(ty, answer);
            way.leave();
            answer
        }
        _ => true,
    }
}

/// Whether the last field of the last field and so on is something else in the end.
fn tail_ends<'db>(cx: &mut TypeCx<'db>, pointee: Ty<'db>) -> bool {
    if let Some(&known) = cx.tails.get(&pointee) {
        return known;
    }
    let (mut tail, mut way) = (pointee, TypeNesting::default());
    let answer = loop {
        let last = match tail.kind() {
            TyKind::Adt(def, _) if matches!(def.def_id(), AdtId::StructId(_)) => {
                if !way.enter(def.def_id(), tail) {
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
    cx.tails.insert(pointee, answer);
    answer
}
