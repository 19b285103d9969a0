//! What nobody here knows the body of. Files, sockets and processes: what the operating system answers is made up (see [`crate::inputs`]), as numbers that it can
//! really answer with, so that the program's own checks hold.

use super::{Call, Outcome};
use crate::ir::{CauseId, FnId};
use crate::machine::Stop;
use crate::memory::{AllocKind, Fault, Memory};
use crate::term::Origin;

/// "No such file or directory": why a call that was made up to fail did so.
const ENOENT: i32 = 2;
/// Standard input, output and error are open.
const FIRST_FREE: u64 = 3;

impl Call<'_, '_> {
    /// Whether a call of the operating system succeeds; if not, it has the result of such calls.
    fn succeeds(&mut self) -> bool {
        let succeeds = self.machine.choose_answer();
        if !succeeds {
            self.machine.thread().errno = ENOENT;
            self.ret(u64::MAX);
        }
        succeeds
    }

    /// The memory behind pointer parameters is whatever the outside world writes there. Of each there are the index, the
    /// size of what it points to, and whether there may be several: as many as the next parameter says or, on the heap,
    /// as the block holds.
    fn fill(&mut self, pointers: &[u64], origin: Origin) -> Result<(), Stop> {
        for pointer in pointers.chunks_exact(3) {
            let (index, size, is_many) = (pointer[0] as usize, pointer[1] as usize, pointer[2] != 0);
            let addr = self.arg(index)?;
            let (alloc, offset) = Memory::split(addr);
            let Some(known) = self.machine.memory.find(addr) else { continue };
            let is_heap = known.kind == AllocKind::Heap;
            let room = self.machine.memory.size(alloc).saturating_sub(offset);
            let len = match self.code.params.get(index + 1) {
                _ if !is_many => size,
                _ if is_heap => room,
                Some(next) if next.1 <= 8 => size.saturating_mul(self.arg(index + 1)? as usize),
                _ => size,
            };
            let len = len.min(room);
            if len > 0 && self.machine.memory.writable(addr, len).is_ok() {
                self.machine.save_pc();
                let (func, site) = self.machine.here_outside_std();
                let term = self.machine.terms.fresh(origin, func, site);
                self.machine.set_term_at((alloc, offset), len as u32, term);
            }
        }
        Ok(())
    }
}

/// A new file descriptor, or -1.
pub(super) fn open(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.succeeds() {
        let inputs = &mut call.machine.inputs;
        let descriptor = FIRST_FREE + inputs.opened;
        inputs.opened += 1;
        call.fill(call.consts, Origin::Input)?;
        call.ret(descriptor);
    }
    Ok(Outcome::Done)
}

/// 0, or -1.
pub(super) fn act(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.succeeds() {
        call.fill(call.consts, Origin::Input)?;
        call.ret(0);
    }
    Ok(Outcome::Done)
}

/// A function of which only the signature is known: it may have written behind its pointers, and synchronised.
pub(super) fn foreign(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    let [func, cause, filled @ ..] = call.consts else { return Err(Stop::Fault(Fault::BadCode)) };
    let (func, cause) = (FnId(*func as u32), CauseId(*cause as u32));
    call.machine.unknown_call(func, cause);
    call.fill(filled, Origin::Unknown(cause))?;
    call.machine.unknown_value(call.dst, call.code.ret.1, cause);
    Ok(Outcome::Done)
}
