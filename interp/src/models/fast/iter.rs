//! `next` of the iterators in common loops.

use super::super::{Call, Outcome};
use crate::machine::Stop;

/// A number of `size` bytes, sign-extended if it is signed.
fn extended(value: u64, size: u64, is_signed: bool) -> i128 {
    let unused = 64 - 8 * size as u32;
    match is_signed {
        true => i128::from((value << unused).cast_signed() >> unused),
        false => i128::from(value),
    }
}

/// `Range::next`.
pub(in super::super) fn range_next(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let addr = call.arg(0)?;
    let (size, is_signed) = (call.number(7), call.number(8) != 0);
    if !(1..=8).contains(&size) {
        return Ok(Outcome::Real);
    }
    let field = |call: &Call<'_, '_>, index: usize| call.known(addr.wrapping_add(call.number(index)), size);
    let (Some(start), Some(end)) = (field(call, 5), field(call, 6)) else { return Ok(Outcome::Real) };
    let memory = &call.machine.memory;
    let next = memory.get(start.index, start.offset, size as u32);
    let is_over =
        extended(next, size, is_signed) >= extended(memory.get(end.index, end.offset, size as u32), size, is_signed);
    if !is_over && call.target(start.addr(), size).is_none() {
        return Ok(Outcome::Real);
    }
    let after = next.wrapping_add(1).to_le_bytes();
    let Some(after) = after.get(..size as usize) else { return Ok(Outcome::Real) };
    call.reads(start);
    call.reads(end);
    if is_over {
        call.answer(&[(call.number(0), call.number(1), call.number(2))]);
    } else {
        call.put(start, after);
        call.answer(&[(call.number(0), call.number(1), call.number(3)), (call.number(4), size, next)]);
    }
    Ok(Outcome::Done)
}

/// `next` of slice iterators; the real body handles zero-sized elements.
pub(in super::super) fn slice_next(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (addr, stride) = (call.arg(0)?, call.number(2));
    let field = |call: &Call<'_, '_>, index: usize| call.known(addr.wrapping_add(call.number(index)), 8);
    let (Some(next), Some(end)) = (field(call, 0), field(call, 1)) else { return Ok(Outcome::Real) };
    let memory = &call.machine.memory;
    let element = memory.get(next.index, next.offset, 8);
    let is_over = element == memory.get(end.index, end.offset, 8);
    if stride == 0 || !is_over && call.target(next.addr(), 8).is_none() {
        return Ok(Outcome::Real);
    }
    call.reads(next);
    call.reads(end);
    if is_over {
        call.answer(&[]);
    } else {
        call.put(next, &element.wrapping_add(stride).to_le_bytes());
        call.answer(&[(0, 8, element)]);
    }
    Ok(Outcome::Done)
}
