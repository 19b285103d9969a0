//! The allocator.

use super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::{AllocKind, Fault, Memory};

/// Nothing is known of new memory.
pub(super) fn alloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let size = call.machine.allocation_size(call.arg(0)?)?;
    let index = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.machine.memory.alloc_mut(index).unwritten.forget(0, size as usize);
    call.ret(Memory::address(index, 0));
    Ok(Outcome::Done)
}

/// An allocation that the bounds do not allow ends the run.
pub(super) fn alloc_zeroed(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let size = call.machine.allocation_size(call.arg(0)?)?;
    let index = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.ret(Memory::address(index, 0));
    Ok(Outcome::Done)
}

impl Call<'_, '_> {
    /// The heap allocation that begins at an address.
    pub(super) fn heap(&self, addr: u64) -> Result<usize, Stop> {
        let (index, offset) = Memory::split(addr);
        match self.machine.memory.find(addr) {
            Some(alloc) if alloc.kind == AllocKind::Heap && offset == 0 => Ok(index),
            _ => Err(Stop::Fault(Fault::BadFree { addr })),
        }
    }

    /// Freeing writes the whole range, for the race detector.
    fn release(&mut self, index: usize) {
        self.machine.note_free(index);
        self.machine.free(index);
    }
}

pub(super) fn dealloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let index = call.heap(call.arg(0)?)?;
    call.release(index);
    Ok(Outcome::Done)
}

pub(super) fn realloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let old = call.heap(call.arg(0)?)?;
    let size = call.machine.allocation_size(call.arg(3)?)?;
    let new = call.machine.memory.allocate(size, AllocKind::Heap)?;
    let kept = call.machine.memory.size(old).min(size as usize);
    call.machine.memory.alloc_mut(new).unwritten.forget(0, size as usize);
    if kept > 0 {
        call.machine.memory.copy((old, 0), (new, 0), kept);
        call.machine.touched(kept as u64);
    }
    call.release(old);
    call.ret(Memory::address(new, 0));
    Ok(Outcome::Done)
}
