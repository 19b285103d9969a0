//! The allocator.

use super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::{AllocKind, Fault, Memory};

/// Larger than the address space of a process.
pub(super) const TOO_LARGE: u64 = 1 << 47;

/// New memory is uninitialised.
pub(super) fn alloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.arg(0)? >= TOO_LARGE {
        call.ret(0);
        return Ok(Outcome::Done);
    }
    let size = call.machine.allocation_size(call.arg(0)?)?;
    let index = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.machine.note_allocation(index);
    call.machine.memory.alloc_mut(index).uninit.forget(0, size as usize);
    call.ret(Memory::address(index, 0));
    Ok(Outcome::Done)
}

/// An allocation beyond the bounds ends the run.
pub(super) fn alloc_zeroed(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.arg(0)? >= TOO_LARGE {
        call.ret(0);
        return Ok(Outcome::Done);
    }
    let size = call.machine.allocation_size(call.arg(0)?)?;
    let index = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.machine.note_allocation(index);
    call.ret(Memory::address(index, 0));
    Ok(Outcome::Done)
}

/// `calloc(count, size)` of the C library.
pub(super) fn calloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let size = call.arg(0)?.checked_mul(call.arg(1)?).filter(|size| *size < TOO_LARGE);
    let Some(size) = size else {
        call.ret(0);
        return Ok(Outcome::Done);
    };
    let size = call.machine.allocation_size(size)?;
    let index = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.machine.note_allocation(index);
    call.ret(Memory::address(index, 0));
    Ok(Outcome::Done)
}

impl Call<'_, '_> {
    /// The heap allocation that starts at an address.
    pub(super) fn heap(&self, addr: u64) -> Result<usize, Stop> {
        let (index, offset) = Memory::split(addr);
        match self.machine.memory.find(addr) {
            Some(alloc) if alloc.kind == AllocKind::Heap && offset == 0 => Ok(index),
            _ => Err(Stop::Fault(Fault::BadFree { addr })),
        }
    }

    /// For the race detector, freeing writes the whole range.
    pub(super) fn release(&mut self, index: usize) {
        self.machine.note_free(index);
        self.machine.free(index);
    }
}

pub(super) fn dealloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let index = call.heap(call.arg(0)?)?;
    call.release(index);
    Ok(Outcome::Done)
}

/// `free` of the C library: does nothing for a null pointer.
pub(super) fn free(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.arg(0)? == 0 { Ok(Outcome::Done) } else { dealloc(call) }
}

pub(super) fn realloc(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let old = call.heap(call.arg(0)?)?;
    if call.arg(3)? >= TOO_LARGE {
        call.ret(0);
        return Ok(Outcome::Done);
    }
    let size = call.machine.allocation_size(call.arg(3)?)?;
    let new = call.machine.memory.allocate(size, AllocKind::Heap)?;
    call.machine.note_allocation(new);
    let kept = call.machine.memory.size(old).min(size as usize);
    call.machine.memory.alloc_mut(new).uninit.forget(0, size as usize);
    if kept > 0 {
        call.machine.memory.copy((old, 0), (new, 0), kept);
        call.machine.touched(kept as u64);
    }
    call.release(old);
    call.ret(Memory::address(new, 0));
    Ok(Outcome::Done)
}
