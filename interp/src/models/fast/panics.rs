//! Whether anything panics.

use super::super::{Call, Outcome};
use crate::machine::Stop;

/// A panic begins: from now on std's own counts tell. The real body counts it.
pub(in super::super) fn begins(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    call.machine.has_panicked = true;
    Ok(Outcome::Real)
}

/// Before the first panic of a run no count is other than zero.
pub(in super::super) fn none(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.machine.has_panicked {
        return Ok(Outcome::Real);
    }
    call.ret(1);
    Ok(Outcome::Done)
}
