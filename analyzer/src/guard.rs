//! The only place that catches panics (decision 23).
//!
//! Salsa's cancellation continues to unwind. Any other panic, also in rust-analyzer, only costs what was being
//! computed. The computation is marked as reading untracked state; otherwise salsa would keep the failure after the
//! user has fixed the code. A program that calls [`record_panics`] reports panics itself; nothing is printed when they
//! happen.

use crate::{
    budget::{self, BudgetScope, Stop},
    overdue::{self, CurrentItem, ItemId},
    project::short_path,
};
use ra_ap_base_db::CrateOrigin;
use ra_ap_hir_def::{DefWithBodyId, HasModule as _};
use ra_ap_hir_ty::db::HirDatabase;
use salsa::Cancelled;
use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Number of panics caught since the last [`take_failures`].
static FAILURES: AtomicU64 = AtomicU64::new(0);

/// The number of items left out because of a panic since the last call, bugs of ours or of rust-analyzer's; and the
/// distinct panics, if they are recorded.
pub fn take_failures() -> (u64, Vec<Panic>) {
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    (FAILURES.swap(0, Ordering::Relaxed), panics)
}

/// Distinct panics of this process, the last one at the end.
static PANICS: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

/// Maximum number of distinct panics that are kept.
const KEPT: usize = 32;

/// Maximum length of a message, in characters.
const MESSAGE: usize = 200;

/// A panic: its message and location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Panic {
    message: String,
    location: String,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.location)
    }
}

impl Panic {
    fn new(info: &PanicHookInfo<'_>) -> Panic {
        let message = info.payload_as_str().unwrap_or("no message").lines().next().unwrap_or_default();
        let location =
            info.location().map_or_else(String::new, |it| format!("{}:{}", short_path(it.file()), it.line()));
        Panic { message: message.chars().take(MESSAGE).collect(), location }
    }
}

/// From now on panics of all threads are recorded and not printed.
pub fn record_panics() {
    std::panic::set_hook(Box::new(|info| {
        let panic = Panic::new(info);
        let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
        panics.retain(|known| *known != panic);
        if panics.len() == KEPT {
            panics.remove(0);
        }
        panics.push(panic);
    }));
}

/// A message for the user about the last panic that was caught.
pub fn internal_failure() -> String {
    let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
    match panics.last() {
        Some(panic) => format!("internal error, please report it: {panic}"),
        None => "internal error, please report it".to_owned(),
    }
}

/// The payload of a panic.
pub type Payload = Box<dyn Any + Send>;

/// Runs `f`; the error is the payload of a panic.
///
/// # Errors
///
/// The payload, also of salsa's cancellation.
pub fn unwinding<T>(f: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(f))
}

/// Whether an edit caused it. A thread that waits for a query that panics in another thread also gets a payload of
/// salsa's; that counts as a panic.
pub fn is_cancelled(payload: &Payload) -> bool {
    payload.downcast_ref().is_some_and(|cancelled| !matches!(cancelled, Cancelled::PropagatedPanic))
}

/// Runs `f` within the budget of one item; `None` if it panics or exceeds the budget.
pub fn caught<T>(db: &dyn HirDatabase, f: impl FnOnce() -> T) -> Option<T> {
    bounded(db, None, f).ok()
}

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A bug of ours, or of rust-analyzer's.
    Panicked,
    /// It exceeded its budget.
    Stopped(Stop),
}

impl Failure {
    /// The reason as text.
    pub fn text(self) -> String {
        match self {
            Failure::Panicked => internal_failure(),
            Failure::Stopped(stop) => stop.text().to_owned(),
        }
    }
}

/// Like [`caught`], for a body; a stop is noted with the location of that body, or of a macro call in it.
///
/// # Errors
///
/// Why it ended.
pub fn bounded<T>(db: &dyn HirDatabase, body: Option<DefWithBodyId>, f: impl FnOnce() -> T) -> Result<T, Failure> {
    match tried(db, body, f) {
        Ok(value) => Ok(value),
        Err(payload) if is_cancelled(&payload) => resume_unwind(payload),
        Err(payload) => {
            db.report_untracked_read();
            if let Some(stop) = budget::note_stop(db, &payload, body) {
                return Err(Failure::Stopped(stop));
            }
            count();
            Err(Failure::Panicked)
        }
    }
}

/// Runs `f` within the bounds of a body. Nothing is noted about a panic.
pub(crate) fn tried<T>(
    db: &dyn HirDatabase,
    body: Option<DefWithBodyId>,
    f: impl FnOnce() -> T,
) -> std::thread::Result<T> {
    let is_std = |body: DefWithBodyId| matches!(body.krate(db).data(db).origin, CrateOrigin::Lang(_));
    let _scope = BudgetScope::new(!body.is_some_and(is_std));
    catch_unwind(AssertUnwindSafe(|| {
        let item = body.and_then(|body| ItemId::of_body(db, body));
        // Nested items count as the outer one.
        let _current = item.map(CurrentItem::new);
        if item.is_some_and(overdue::is_left_out) {
            budget::stop(Stop::Time);
        }
        f()
    }))
}

/// Counts a panic that [`unwinding`] has caught.
pub fn count() {
    FAILURES.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    /// The error of a query that another thread computed and this one waited for.
    fn thrown(cancelled: Cancelled) -> Result<Option<()>, Payload> {
        let db = Database::new();
        unwinding(|| caught(&db, || resume_unwind(Box::new(cancelled))))
    }

    #[test]
    fn a_panic_in_another_thread_is_a_panic_and_no_edit() {
        assert!(matches!(thrown(Cancelled::PropagatedPanic), Ok(None)));
        assert!(take_failures().0 > 0);
        for cancelled in [Cancelled::PendingWrite, Cancelled::Local] {
            assert!(thrown(cancelled).is_err_and(|payload| is_cancelled(&payload)));
        }
    }
}
