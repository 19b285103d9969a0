//! The one place that catches unwinding (decision 23).
//!
//! Salsa's cancellation goes on; any other panic, rust-analyzer's included, costs what was being computed and no more. The
//! computation is marked as reading untracked state, or salsa would keep the failure after the user repaired the code.
//! A program that calls [`record_panics`] says itself what panicked; nothing is printed when it happens.

use crate::{
    budget::{self, Armed, Stop},
    overdue::{self, ItemId, UnderWay},
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

/// How often something was caught since [`take_failures`] was called.
static FAILURES: AtomicU64 = AtomicU64::new(0);

/// How often something panicked and was left out for that since the last call, mistakes of ours or of rust-analyzer's; and
/// the different panics, if they are recorded.
pub fn take_failures() -> (u64, Vec<Panic>) {
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    (FAILURES.swap(0, Ordering::Relaxed), panics)
}

/// Panics of this process, each once, the last one at the end.
static PANICS: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

/// How many different panics are kept.
const KEPT: usize = 32;

/// The most characters of a message that are kept.
const MESSAGE: usize = 200;

/// A panic: its message and where it was.
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
        let location = info.location().map_or_else(String::new, |it| format!("{}:{}", in_crate(it.file()), it.line()));
        Panic { message: message.chars().take(MESSAGE).collect(), location }
    }
}

/// The path of a source file without the folder that dependencies are downloaded to.
fn in_crate(path: &str) -> &str {
    let below = path.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    below.map_or(path, |(_, path)| path)
}

/// From now on panics of any thread are kept and not printed.
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

/// A text for the user about the panic that was caught last.
pub fn internal_failure() -> String {
    let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
    match panics.last() {
        Some(panic) => format!("internal failure, please report it: {panic}"),
        None => "internal failure, please report it".to_owned(),
    }
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

/// Runs `f` within the budget of one item; `None` if it panicked or is over it.
pub fn caught<T>(db: &dyn HirDatabase, f: impl FnOnce() -> T) -> Option<T> {
    bounded(db, None, f).ok()
}

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A mistake of ours, or of rust-analyzer's.
    Panicked,
    /// It is over its budget.
    Stopped(Stop),
}

impl Failure {
    /// What is said of it.
    pub fn text(self) -> String {
        match self {
            Failure::Panicked => internal_failure(),
            Failure::Stopped(stop) => stop.text().to_owned(),
        }
    }
}

/// As [`caught`], for a body; a stop is noted with the place of that body or of a macro call in it.
///
/// # Errors
///
/// What ended it.
pub fn bounded<T>(db: &dyn HirDatabase, body: Option<DefWithBodyId>, f: impl FnOnce() -> T) -> Result<T, Failure> {
    let is_std = |body: DefWithBodyId| matches!(body.krate(db).data(db).origin, CrateOrigin::Lang(_));
    let armed = Armed::new(!body.is_some_and(is_std));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let item = body.and_then(|body| ItemId::of_body(db, body));
        // Within another item it is that one which goes on.
        let _under_way = item.map(UnderWay::new);
        if item.is_some_and(overdue::is_left_out) {
            budget::stop(Stop::Time);
        }
        f()
    }));
    drop(armed);
    match outcome {
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

/// Counts a panic that was caught by [`unwinding`].
pub fn count() {
    FAILURES.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;

    /// What a query of another thread ended with that this one waited for.
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
