//! Types without an end, which only half-typed code has (`struct Node { next: Node }`): rustc refuses them, and rust-analyzer
//! would look for the last field of what a pointer leads to until the stack is used up.

use super::{program::Program, types};
use hir_def::AdtId;
use hir_ty::next_solver::{Ty, TyKind};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// No type that people write lies deeper in another; one whose arguments grow on the way in has no end either.
const DEEPEST: u32 = 200;

/// Whether a type has an end, so that its layout can be asked for: it does not contain itself, and what its pointers lead to
/// does not end in itself.
pub(super) fn has_end<'db>(program: &mut Program<'db>, ty: Ty<'db>) -> bool {
    ends(program, ty, 0)
}

fn ends<'db>(program: &mut Program<'db>, ty: Ty<'db>, depth: u32) -> bool {
    if depth > DEEPEST {
        return false;
    }
    match ty.kind() {
        TyKind::Array(elem, _) | TyKind::Slice(elem) | TyKind::Pat(elem, _) => ends(program, elem, depth + 1),
        TyKind::Tuple(tys) => tys.iter().all(|ty| ends(program, ty, depth + 1)),
        TyKind::Closure(..) | TyKind::CoroutineClosure(..) | TyKind::Coroutine(..) => {
            types::upvars(ty).is_none_or(|tuple| {
                let tuple = types::normalize(program, tuple);
                ends(program, tuple, depth + 1)
            })
        }
        TyKind::Ref(_, pointee, _) | TyKind::RawPtr(pointee, _) => tail_ends(program, pointee),
        TyKind::Adt(def, _) => {
            if let Some(&known) = program.ends.get(&ty) {
                return known;
            }
            // Whoever gets here again on the way in contains itself.
            program.ends.insert(ty, false);
            let answer = (0..types::variant_count(program, def.def_id())).all(|variant| {
                types::fields(program, ty, variant).into_iter().all(|field| ends(program, field, depth + 1))
            });
            program.ends.insert(ty, answer);
            answer
        }
        _ => true,
    }
}

/// Whether the last field of the last field and so on is something else in the end.
fn tail_ends<'db>(program: &mut Program<'db>, pointee: Ty<'db>) -> bool {
    if let Some(&known) = program.tails.get(&pointee) {
        return known;
    }
    let mut tail = pointee;
    let mut answer = false;
    for _ in 0..DEEPEST {
        let last = match tail.kind() {
            TyKind::Adt(def, _) if matches!(def.def_id(), AdtId::StructId(_)) => {
                types::fields(program, tail, 0).last().copied()
            }
            TyKind::Tuple(tys) => tys.iter().next_back(),
            _ => None,
        };
        match last {
            Some(last) => tail = last,
            None => {
                answer = true;
                break;
            }
        }
    }
    program.tails.insert(pointee, answer);
    answer
}
