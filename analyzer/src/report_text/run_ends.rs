//! How runs ended, and which values they did not know.

use interp::{
    memory::Fault,
    run::{Bound, RunEnd, RunOutcome},
    term::Origin,
};

/// A fault: an operation with no defined result.
#[derive(Clone, Debug, Default)]
pub(crate) struct FaultAt {
    /// The function.
    pub(crate) function: String,
    /// `file:line:column`.
    pub(crate) location: Option<String>,
    /// Why code could not be run.
    pub(crate) invalid: Option<String>,
}

/// The message about a run that a panic of the first thread ended.
pub(crate) const PANIC: &str = "ended by a panic";

/// The message about the end of a run; `None` for the program's own end. A fault is the program's if the run knew every
/// value, else possibly ours.
pub(crate) fn cut_short(outcome: &RunOutcome, fault: &FaultAt) -> Option<String> {
    match &outcome.end {
        // A server waits for clients at the end.
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::WaitsForOutside => None,
        RunEnd::Panicked => Some(PANIC.to_owned()),
        RunEnd::Aborted => Some("ended by an abort".to_owned()),
        end @ RunEnd::Fault { fault: kind, .. }
            if fault.invalid.is_some() || matches!(kind, Fault::BadCode | Fault::BadCoroutine { .. }) =>
        {
            Some(format!("interpreter stopped, please report it: {}", text(end, fault)))
        }
        end @ RunEnd::Fault { .. } if outcome.uninterpreted == 0 && outcome.unknown_calls.is_empty() => {
            Some(format!("undefined behaviour of the program: {}", text(end, fault)))
        }
        end @ RunEnd::Fault { .. } => Some(format!("stopped after uninterpreted values: {}", text(end, fault))),
        end => Some(format!("stopped: {}", text(end, fault))),
    }
}

/// Why a run ended.
pub(crate) fn text(end: &RunEnd, at: &FaultAt) -> String {
    match end {
        RunEnd::Fault { fault, .. } => {
            let location = at.location.as_ref().map_or_else(String::new, |it| format!(" at {it}"));
            let why = at.invalid.as_ref().map_or_else(String::new, |it| format!(" ({it})"));
            format!("{fault} in `{}`{location}{why}", at.function)
        }
        RunEnd::Bound(Bound::Steps) => "the bound on steps".to_owned(),
        RunEnd::Bound(Bound::Heap) => "the bound on heap memory".to_owned(),
        RunEnd::Bound(Bound::Stack) => "the bound on stack memory".to_owned(),
        RunEnd::Bound(Bound::Depth) => "the bound on the depth of calls".to_owned(),
        RunEnd::Bound(Bound::Threads) => "the bound on threads".to_owned(),
        RunEnd::Deadlock => "its threads wait forever".to_owned(),
        RunEnd::Livelock => "its threads spin forever".to_owned(),
        RunEnd::WaitsForOutside => "it waits for something from outside, which does not come".to_owned(),
        RunEnd::NoTrapFn(_) => "a panic function of std was not found".to_owned(),
        RunEnd::UnknownCallee => "a call through an unknown pointer".to_owned(),
        RunEnd::Cancelled => "the memory limit was reached".to_owned(),
        RunEnd::Returned(_) | RunEnd::Exited(_) | RunEnd::Panicked | RunEnd::Aborted => "its end".to_owned(),
    }
}

/// The kind of an uninterpreted value without a cause.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Input => "a value from outside the program",
        Origin::Uninit => "memory that was never written",
        Origin::Unknown(_) => "unsupported code",
    }
}
