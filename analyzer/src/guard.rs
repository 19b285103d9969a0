//! The one place that catches unwinding (design §3.10).
//!
//! Salsa's cancellation goes on; any other panic, rust-analyzer's included, costs what was being computed and no more. The
//! computation is marked as reading untracked state, or salsa would keep the failure after the user repaired the code.

use ra_ap_hir_ty::db::HirDatabase;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// What a panic carries.
pub type Payload = Box<dyn Any + Send>;

/// Runs `f`, and gives the payload of what ended it by unwinding.
///
/// # Errors
///
/// That payload, also salsa's.
pub fn unwinding<T>(f: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(f))
}

/// Whether an edit ended it.
pub fn is_cancelled(payload: &Payload) -> bool {
    payload.is::<salsa::Cancelled>()
}

/// Runs `f`; `None` if it panicked.
pub fn caught<T>(db: &dyn HirDatabase, f: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Some(value),
        Err(payload) if payload.is::<salsa::Cancelled>() => resume_unwind(payload),
        Err(_) => {
            db.report_untracked_read();
            None
        }
    }
}
