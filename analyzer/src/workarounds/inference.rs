//! Types of bodies, whatever was inferred before.
//!
//! * Symptom: what is inferred depends on which crates were asked about before.
//! * Test: `generics/compared_after_print`.
//! * Upstream: none known.
//! * Goes when: the cache is keyed by crate.
//!
//! The trait solver remembers answers by question alone, not by the crate that asked; which impls there are depends
//! on the crate. What `core` is told of `u8: PartialEq<?>`, that the other side can only be `u8`, would be told a
//! program that has an impl of its own. So what it remembers is forgotten where another crate's turn comes.

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
    /// Whose questions the solver remembers on this thread.
    static ASKED: Cell<Option<Crate>> = const { Cell::new(None) };
}

/// The types of a body.
pub(crate) fn of(db: &dyn HirDatabase, def: DefWithBodyId) -> &InferenceResult<'_> {
    asked_by(db, def.krate(db));
    InferenceResult::of(db, def)
}

/// Questions of a crate follow.
fn asked_by(db: &dyn HirDatabase, krate: Crate) {
    if ASKED.replace(Some(krate)) != Some(krate) {
        clear_tls_solver_cache();
        // Who is at work already takes for granted that the memory is that of this database; an interner sees to it.
        DbInterner::new_with(db, krate);
    }
}
