//! Numbers as text.

use super::super::{Call, Outcome};
use crate::machine::Stop;
use std::io::Write as _;

/// Maximum number of digits of a `u64`.
const MAX_DIGITS: usize = 20;

pub(in super::super) fn decimal(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let mut digits = [0; MAX_DIGITS];
    let mut rest = &mut digits[..];
    // There is room for each number.
    let _ = write!(rest, "{}", call.arg(0)?);
    let count = MAX_DIGITS - rest.len();
    let Some(digits) = digits.get(..count) else { return Ok(Outcome::Real) };
    let (addr, len) = call.slice(1)?;
    let Some(start) = len.checked_sub(count as u64) else { return Ok(Outcome::Real) };
    let Some(target) = call.target(addr.wrapping_add(start), count as u64) else { return Ok(Outcome::Real) };
    call.put(target, digits);
    call.ret(start);
    Ok(Outcome::Done)
}
