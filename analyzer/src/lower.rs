//! From HIR to the generic IR, once per body and memoised by salsa (decision 1).
//!
//! Lowering is total (invariant 2): code that it does not understand becomes an uninterpreted value with a named cause,
//! a [`crate::ir::Gap`]. At the core are [`scope`], which decides by the edition's rules which value is dropped when
//! (Reference, "Destructors"), and [`moves`], which computes what is still initialised there.
//!
//! | module | contents |
//! |---|---|
//! | `cx` | the body being built: blocks, locals, types |
//! | `scope` | drop scopes, exits out of them, the cleanup chains of unwinding |
//! | `extend` | which temporaries live as long as a `let`'s variable |
//! | `expr`, `operand`, `place`, `call`, `op` | expressions, by where their result goes |
//! | `block`, `control`, `pat`, `alternatives` | statements, branches and loops, patterns, or-patterns under a guard |
//! | `closure`, `coroutine` | nested bodies, captures, `.await` |
//! | `syntax_facts` | what HIR lacks and only the syntax has |
//! | `unexpanded_calls` | macro calls without an expansion |
//! | `format` | `format_args!`: flattening and inlining as in rustc |
//! | `promote` | rvalue static promotion |
//! | `moves` | drop flags and partial moves, after the body is complete |
//! | `prune` | removal of unreachable blocks |

use crate::{
    guard::{self, Failure},
    ir::{BodyIr, LoweredBody},
    workarounds::type_size::TypeSizes,
};
use hir_def::{DefWithBodyId, expr_store::Body, hir::ExprId};
use hir_ty::{
    db::HirDatabase,
    next_solver::{DbInterner, ErrorGuaranteed, Ty},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::Ty as _;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

mod alternatives;
mod assembly;
mod block;
mod call;
mod closure;
mod control;
mod coroutine;
mod cx;
mod expr;
mod extend;
mod format;
mod moves;
mod op;
mod operand;
mod pat;
mod place;
mod promote;
mod prune;
mod scope;
mod syntax_facts;
pub(crate) mod unexpanded_calls;

/// Number of bodies that were lowered.
static LOWERED: AtomicU64 = AtomicU64::new(0);

/// How many bodies this process has lowered, counting repetitions.
pub fn bodies_lowered() -> u64 {
    LOWERED.load(Ordering::Relaxed)
}

/// The generic IR of a function, const, static or enum discriminant, and of all closures in it.
#[salsa::tracked(returns(clone))]
pub fn lowered(db: &dyn HirDatabase, def: DefWithBodyId) -> Arc<LoweredBody> {
    LOWERED.fetch_add(1, Ordering::Relaxed);
    let lowered = guard::bounded(db, Some(def), || {
        let body = Body::of(db, def);
        let infer = crate::workarounds::inference::of(db, def);
        let mut sizes = TypeSizes::default();
        for (expr, _) in body.exprs() {
            sizes.check(&infer.expr_ty(expr));
        }
        let mut closures: Vec<(ExprId, BodyIr)> = Vec::new();
        let root = closure::lower_root(db, def, body, infer, &mut closures);
        closures.sort_by_key(|(expr, _)| expr.into_raw());
        LoweredBody { root, closures, is_mistyped: infer.exprs_have_type_mismatches() }
    });
    Arc::new(lowered.unwrap_or_else(|failure| {
        let known = match failure {
            // Inferring the body's type may fail for the same reason.
            Failure::Panicked => guard::caught(db, || {
                crate::workarounds::inference::of(db, def).expr_ty(Body::of(db, def).root_expr()).store()
            }),
            // It would take as long again.
            Failure::Stopped(_) => None,
        };
        let ty = known.unwrap_or_else(|| Ty::new_error(DbInterner::new_no_crate(db), ErrorGuaranteed).store());
        let cause = match failure {
            Failure::Panicked => "the front end failed on this body",
            Failure::Stopped(stop) => stop.text(),
        };
        LoweredBody { root: closure::not_lowered(ty, cause), closures: Vec::new(), is_mistyped: false }
    }))
}
