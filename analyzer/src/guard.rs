//! The one place that catches unwinding (design §3.10).
//!
//! Salsa's cancellation goes on; any other panic, rust-analyzer's included, costs what was being computed and no more. The
//! computation is marked as reading untracked state, or salsa would keep the failure after the user repaired the code.

use ra_ap_hir_ty::db::HirDatabase;
use salsa::Cancelled;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicU64, Ordering},
};

/// How often something was caught.
static FAILURES: AtomicU64 = AtomicU64::new(0);

/// How often in this process something panicked and was left out for that: mistakes of ours or of rust-analyzer's.
pub fn failures() -> u64 {
    FAILURES.load(Ordering::Relaxed)
}

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

/// Whether an edit ended it. Who waits for what panics in another thread gets a payload of salsa's too, and that is a panic.
pub fn is_cancelled(payload: &Payload) -> bool {
    payload.downcast_ref().is_some_and(|cancelled| !matches!(cancelled, Cancelled::PropagatedPanic))
}

/// Runs `f`; `None` if it panicked.
pub fn caught<T>(db: &dyn HirDatabase, f: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Some(value),
        Err(payload) if is_cancelled(&payload) => resume_unwind(payload),
        Err(_) => {
            FAILURES.fetch_add(1, Ordering::Relaxed);
            db.report_untracked_read();
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ra_ap_ide_db::RootDatabase;

    /// What a query of another thread ended with that this one waited for.
    fn thrown(cancelled: Cancelled) -> Result<Option<()>, Payload> {
        let db = RootDatabase::new(None);
        unwinding(|| caught(&db, || resume_unwind(Box::new(cancelled))))
    }

    #[test]
    fn a_panic_in_another_thread_is_a_panic_and_no_edit() {
        let before = failures();
        assert!(matches!(thrown(Cancelled::PropagatedPanic), Ok(None)));
        assert!(failures() > before);
        for cancelled in [Cancelled::PendingWrite, Cancelled::Local] {
            assert!(thrown(cancelled).is_err_and(|payload| is_cancelled(&payload)));
        }
    }
}
