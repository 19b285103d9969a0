//! Memory that comes and goes: allocating and freeing write all bytes, and so does the end of a frame whose locals
//! another thread accessed. Each is compared with the accesses of other threads.

use crate::clock::{Epoch, ThreadId};
use crate::detect::race::{AccessKind, AccessSite, RaceReport};
use crate::ir::Instr;
use crate::machine::{Machine, Stop};
use crate::memory::{AllocKind, Fault, Memory};
use crate::stack::Place;
use rustc_hash::FxHashMap;

/// Where the allocations of a run were made and freed since a second thread was started, by number.
#[derive(Clone, Default, Debug)]
pub(crate) struct Lifetimes {
    made: FxHashMap<usize, (Epoch, AccessSite)>,
    freed: FxHashMap<usize, (Epoch, AccessSite)>,
}

/// The part of a thread's stack that other threads accessed: offsets, none if both are equal.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Lent {
    start: usize,
    end: usize,
}

impl Lent {
    /// Whether some of it may be at or above an offset.
    #[inline]
    pub(crate) fn reaches(self, offset: usize) -> bool {
        self.end > offset
    }

    fn add(&mut self, offset: usize, size: usize) {
        *self = match self.start == self.end {
            true => Lent { start: offset, end: offset + size },
            false => Lent { start: self.start.min(offset), end: self.end.max(offset + size) },
        };
    }
}

impl Machine<'_> {
    /// Notes that the current thread has made an allocation. What it writes there is noted by itself; this is for
    /// bytes that it never writes.
    pub(crate) fn note_allocation(&mut self, index: usize) {
        if !self.concurrent {
            return;
        }
        if self.is_quiet() {
            self.lifetimes.made.remove(&index);
            return;
        }
        let (_, site) = self.access_site();
        let epoch = self.order.epoch(self.thread_id());
        self.lifetimes.made.insert(index, (epoch, site));
    }

    /// Notes that the current thread frees an allocation.
    pub(crate) fn note_free(&mut self, index: usize) {
        if !self.concurrent || self.is_quiet() {
            self.lifetimes.made.remove(&index);
            return;
        }
        self.note(Memory::address(index, 0), self.memory.size(index) as u32, AccessKind::Free);
        let (_, site) = self.access_site();
        let epoch = self.order.epoch(self.thread_id());
        self.lifetimes.made.remove(&index);
        self.lifetimes.freed.insert(index, (epoch, site));
    }

    /// Compares an access that races with no other one with how its memory came into being: it may not know of the
    /// allocation, or it may be to another thread's stack, whose frame must not end meanwhile.
    pub(crate) fn note_lifetime(&mut self, addr: u64, size: u32, kind: AccessKind, second: AccessSite) {
        let (index, offset) = Memory::split(addr);
        let thread = self.thread_id();
        match self.memory.alloc(index).kind {
            AllocKind::Heap => {
                let Some(&(epoch, first)) = self.lifetimes.made.get(&index) else { return };
                if epoch.le(self.order.clock(thread)) {
                    return;
                }
                self.lifetimes.made.remove(&index);
                self.report_race(RaceReport {
                    addr,
                    size,
                    first,
                    first_kind: AccessKind::Allocate,
                    first_thread: epoch.thread,
                    second,
                    second_kind: kind,
                    second_thread: thread,
                });
            }
            AllocKind::Stack if index != self.threads[thread.index()].stack => {
                let Some(owner) = self.threads.iter_mut().find(|it| it.stack == index) else { return };
                if offset < owner.used() {
                    owner.lent.add(offset, size as usize);
                } else if self.fault.is_none() {
                    let fault = Fault::Ended { addr };
                    self.report_fault_here(fault);
                    (self.fault, self.next_poll) = (Some(fault), self.steps);
                }
            }
            _ => {}
        }
    }

    /// A race was found in an allocation: what else races with its making has the same cause.
    pub(crate) fn forget_making(&mut self, addr: u64) {
        self.lifetimes.made.remove(&Memory::split(addr).0);
    }

    /// Some bytes of the current thread's stack are no longer used, of which other threads may have accessed some.
    #[cold]
    pub(crate) fn end_lending(&mut self, offset: usize, size: usize) {
        let (thread, index) = (self.thread_id(), self.thread().stack);
        let lent = self.thread().lent;
        let (start, end) = (offset.max(lent.start), (offset + size).min(lent.end));
        if start >= end {
            return;
        }
        if offset + size >= lent.end {
            self.thread().lent.end = start;
        }
        if self.is_quiet() {
            return;
        }
        self.save_pc();
        let (_, site) = self.access_site();
        let base = Memory::address(index, 0);
        for (addr, size) in self.races.known_in(base + start as u64, base + end as u64) {
            let clock = self.order.clock(thread);
            if let Some(race) = self.races.on_access(clock, thread, addr, size, AccessKind::Free, site) {
                self.report_race(race);
            }
        }
    }

    /// The thread that freed an allocation, and where; `None` if only one thread had run by then.
    pub(crate) fn freed_by(&self, index: usize) -> Option<(ThreadId, Place)> {
        let (epoch, AccessSite(site)) = self.lifetimes.freed.get(&index)?;
        Some((epoch.thread, *self.places.get_index(*site as usize)?))
    }

    /// If the run ended with an unordered access to memory that another thread freed, reports that.
    pub(crate) fn report_use_of_freed(&mut self, stop: &Stop) {
        let &Stop::Fault(Fault::Freed { addr }) = stop else { return };
        let Some(&(epoch, first)) = self.lifetimes.freed.get(&Memory::split(addr).0) else { return };
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
