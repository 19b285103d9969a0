//! Files, sockets and processes: what the operating system answers is made up (see [`crate::inputs`]), as numbers that it can
//! really answer with, so that the program's own checks hold.

use super::{Call, Outcome};
use crate::machine::Stop;
use crate::memory::{AllocKind, Memory};
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

    /// The memory behind pointer parameters is whatever the outside world writes there. Of each the constants have the
    /// index and the size; 0 if the next parameter is the size, or else the rest of a block of the heap.
    fn fill(&mut self) -> Result<(), Stop> {
        for at in (0..self.consts.len()).step_by(2) {
            let (index, size) = (self.number(at) as usize, self.number(at + 1) as usize);
            let addr = self.arg(index)?;
            let (alloc, offset) = Memory::split(addr);
            let Some(known) = self.machine.memory.find(addr) else { continue };
            let is_heap = known.kind == AllocKind::Heap;
            let room = self.machine.memory.size(alloc).saturating_sub(offset);
            let len = match size {
                0 if index + 1 < self.code.params.len() => self.arg(index + 1)? as usize,
                0 if is_heap => room,
                size => size,
            };
            let len = len.min(room);
            if len > 0 && self.machine.memory.writable(addr, len).is_ok() {
                self.machine.save_pc();
                let (func, site) = self.machine.here_outside_std();
                let term = self.machine.terms.fresh(Origin::Input, func, site);
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
        call.fill()?;
        call.ret(descriptor);
    }
    Ok(Outcome::Done)
}

/// 0, or -1.
pub(super) fn act(call: &mut Call<'_, '_>) -> Result<Outcome, Stop> {
    if call.succeeds() {
        call.fill()?;
        call.ret(0);
    }
    Ok(Outcome::Done)
}
