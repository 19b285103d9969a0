//! Whether a thread is panicking.

use super::super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::Fault;

/// A panic starts, unless the run goes on behind it: from now on std's own counts are used; the real body updates them. A
/// panic in an initialiser is not the program's, so no hook runs.
pub(in super::super) fn begins(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.is_in_global() {
        return Err(Stop::Fault(Fault::GlobalInit));
    }
    if call.machine.goes_behind_panic() {
        return Err(Stop::Leaves);
    }
    call.machine.has_panicked = true;
    call.machine.panic_begins();
    Ok(Outcome::Real)
}

/// Before the first panic of a run, no thread is panicking.
pub(in super::super) fn panicking(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.has_panicked {
        return Ok(Outcome::Real);
    }
    call.ret(0);
    Ok(Outcome::Done)
}
