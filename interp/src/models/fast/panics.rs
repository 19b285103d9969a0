//! Whether anything panics.

use super::super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::Fault;

/// A panic begins: from now on std's own counts tell. The real body counts it. One in an initialiser is none of the program's,
/// so no hook is to tell of it.
pub(in super::super) fn begins(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.is_in_global() {
        return Err(Stop::Fault(Fault::GlobalInit));
    }
    call.machine.has_panicked = true;
    Ok(Outcome::Real)
}

/// Before the first panic of a run nobody panics.
pub(in super::super) fn panicking(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.has_panicked {
        return Ok(Outcome::Real);
    }
    call.ret(0);
    Ok(Outcome::Done)
}
