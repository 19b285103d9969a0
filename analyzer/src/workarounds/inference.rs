//! Inferred types of bodies, independent of earlier queries.
//!
//! * Symptom: the inferred types depend on the crates that were queried before.
//! * Test: `generics/compared_after_print`.
//! * Upstream: none known.
//! * Goes when: the cache is keyed by crate.
//!
//! The trait solver caches answers by goal, without the crate, although the available impls depend on the crate. In
//! `core`, for example, `u8: PartialEq<?>` has only the solution `u8`; a program with its own impl would get the same
//! answer. So the cache is cleared when bodies of another crate are inferred.

use base_db::Crate;
use hir_def::{DefWithBodyId, HasModule};
use hir_ty::{
    InferenceResult,
    db::HirDatabase,
    next_solver::{DbInterner, clear_tls_solver_cache},
};
use ra_ap_base_db as base_db;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use std::cell::Cell;

thread_local! {
    /// The crate whose answers are in the solver's cache of this thread.
    static CACHED_CRATE: Cell<Option<Crate>> = const { Cell::new(None) };
}

/// The inferred types of a body.
pub(crate) fn of(db: &dyn HirDatabase, def: DefWithBodyId) -> &InferenceResult<'_> {
    use_cache_of(db, def.krate(db));
    InferenceResult::of(db, def)
}

/// Clears the cache unless it belongs to `krate`.
fn use_cache_of(db: &dyn HirDatabase, krate: Crate) {
    if CACHED_CRATE.replace(Some(krate)) != Some(krate) {
        clear_tls_solver_cache();
        // Nested queries assume that the cache belongs to this database; creating an interner ensures it.
        DbInterner::new_with(db, krate);
    }
}
