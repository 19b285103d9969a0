//! Unordered accesses to memory that another thread has freed: a data race whose second access ends the run. (If the
//! access comes first, the race detector sees two writes.)

use crate::clock::{Epoch, ThreadId};
use crate::detect::race::{AccessKind, AccessSite, RaceReport};
use crate::ir::Instr;
use crate::machine::{Machine, Stop};
use crate::memory::{Fault, Memory};
use rustc_hash::FxHashMap;

/// The frees of a run, by number of the allocation.
#[derive(Clone, Default, Debug)]
pub(crate) struct Freed {
    by: FxHashMap<usize, (Epoch, AccessSite)>,
}

impl Machine<'_> {
    /// Notes that the current thread frees an allocation.
    pub(crate) fn note_free(&mut self, index: usize) {
        if !self.concurrent || self.is_quiet() {
            return;
        }
        self.note(Memory::address(index, 0), self.memory.size(index) as u32, AccessKind::Free);
        let (_, site) = self.access_site();
        let epoch = self.order.epoch(self.thread_id());
        self.freed.by.insert(index, (epoch, site));
    }

    /// If the run ended with an unordered access to memory that another thread freed, reports that.
    pub(crate) fn report_use_of_freed(&mut self, stop: &Stop) {
        let &Stop::Fault(Fault::Freed { addr }) = stop else { return };
        let Some(&(epoch, first)) = self.freed.by.get(&Memory::split(addr).0) else { return };
        let second_thread: ThreadId = self.thread_id();
        if self.is_quiet() || epoch.le(self.order.clock(second_thread)) {
            return;
        }
        let (_, second) = self.access_site();
        self.report_race(RaceReport {
            addr,
            size: 1,
            first,
            first_kind: AccessKind::Free,
            first_thread: epoch.thread,
            second,
            second_kind: self.kind_of_access(addr),
            second_thread,
        });
    }

    /// The kind of the current instruction's access to an address.
    fn kind_of_access(&self, addr: u64) -> AccessKind {
        let frame = self.threads[self.current].frames.last();
        let leads_there = |slot| Memory::split(self.read(slot, 8)).0 == Memory::split(addr).0;
        match frame.and_then(|frame| frame.code.instrs.get(frame.pc as usize)) {
            Some(Instr::AtomicLoad { .. }) => AccessKind::AtomicRead,
            Some(Instr::AtomicStore { .. } | Instr::AtomicRmw { .. } | Instr::AtomicCas { .. }) => {
                AccessKind::AtomicWrite
            }
            Some(Instr::Store { .. } | Instr::SetBytes { .. }) => AccessKind::Write,
            Some(&(Instr::CopyMem { dst, .. } | Instr::MoveBytes { dst, .. })) if leads_there(dst) => AccessKind::Write,
            _ => AccessKind::Read,
        }
    }
}
