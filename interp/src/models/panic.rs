//! Raising a panic, and taking its payload.

use super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::{AllocKind, Memory};
use crate::trace::TraceEvent;

/// The exception object is 16 bytes: the payload's fat pointer.
pub(super) fn rust_panic(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let (slot, size) = call.place(0)?;
    let index = call.machine.memory.allocate(16, AllocKind::Heap)?;
    let from = call.machine.slot(slot);
    let payload = call.machine.read(slot, 8);
    call.machine.memory.copy(from, (index, 0), size.min(16) as usize);
    call.machine.complete();
    call.machine.trace_event(TraceEvent::Panics);
    call.machine.raised(payload);
    let flow = call.machine.unwind(Memory::address(index, 0))?;
    Ok(Outcome::Entered(flow))
}

pub(super) fn panic_cleanup(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let exception = call.arg(0)?;
    let from = call.machine.memory.readable(exception, 16)?;
    let to = call.machine.slot(call.dst);
    call.machine.memory.copy(from, to, call.code.ret.1.min(16) as usize);
    let index = call.heap(exception)?;
    call.machine.free(index);
    Ok(Outcome::Done)
}
