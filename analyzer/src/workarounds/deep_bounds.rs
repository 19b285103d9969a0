//! Bounds that the solver cannot decide.
//!
//! * Symptom: a worker of a runtime is not seen to be `Send`, as the solver gives up after 50 steps (rustc: 128); the
//!   impl is not selected, its associated types have no layout, and its functions are not found.
//! * Test: `generics/deep_auto_traits`.
//! * Upstream: none known.
//! * Goes when: the solver takes the limit of the crate.

use hir_def::ImplId;
use hir_ty::{
    GenericPredicates, Span,
    db::HirDatabase,
    next_solver::{
        GenericArgs, ParamEnv, TraitRef,
        infer::{
            InferCtxt,
            traits::{Obligation, ObligationCause},
        },
        obligation_ctxt::ObligationCtxt,
    },
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::TypeVisitableExt;

/// How an impl's bound counts that is neither proved nor refuted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Undecided {
    /// It does not hold: another impl may apply.
    Fails,
    /// It holds, as rustc accepted the program and no other impl applies.
    Holds,
}

/// The impl's arguments if it applies to `trait_ref`.
pub(super) fn applies<'db>(
    db: &'db dyn HirDatabase,
    infcx: &InferCtxt<'db>,
    env: ParamEnv<'db>,
    (impl_, undecided): (ImplId, Undecided),
    trait_ref: TraitRef<'db>,
) -> Option<GenericArgs<'db>> {
    let cause = ObligationCause::dummy();
    let interner = infcx.interner;
    let mut ocx = ObligationCtxt::new(infcx);
    let args = infcx.fresh_args_for_item(Span::Dummy, impl_.into());
    let own = db.impl_trait(impl_)?.instantiate(interner, args).skip_norm_wip();
    ocx.eq(&cause, env, trait_ref, own).ok()?;
    for clause in GenericPredicates::query_all(db, impl_.into()).iter_instantiated(interner, args.as_slice()) {
        ocx.register_obligation(Obligation::new(interner, cause, env, clause.skip_norm_wip().as_predicate()));
    }
    let errors = match undecided {
        Undecided::Fails => ocx.evaluate_obligations_error_on_ambiguity(),
        Undecided::Holds => ocx.try_evaluate_obligations(),
    };
    if !errors.is_empty() {
        return None;
    }
    let args = infcx.resolve_vars_if_possible(args);
    (!args.has_non_region_infer()).then_some(args)
}
