//! What detectors are told: accesses, and memory that begins a new life.

use crate::detect::deadlock::LockId;
use crate::detect::race::{AccessKind, AccessSite};
use crate::machine::{Machine, site_at};
use crate::memory::Memory;
use crate::stack::Place;

impl Machine<'_> {
    /// The calling context of the current thread. The innermost frame must know its pc.
    fn context(&mut self) -> u32 {
        let frames = &mut self.threads[self.current].frames;
        let known = frames.iter().rposition(|frame| frame.context != 0);
        let start = known.map_or(0, |index| index + 1);
        for index in start..frames.len() {
            let (parent, call) = match index.checked_sub(1) {
                Some(below) => (frames[below].context, site_at(&frames[below].code, frames[below].pc)),
                None => (0, crate::ir::Site::NONE),
            };
            let frame = &mut frames[index];
            frame.context = self.contexts.enter(parent, call, frame.func, &frame.code);
        }
        frames.last().map_or(0, |frame| frame.context)
    }

    /// Where the current thread is.
    pub(crate) fn place(&mut self) -> Place {
        self.save_pc();
        let context = self.context();
        let (_, site) = self.here();
        Place { context, site }
    }

    fn is_quiet(&self) -> bool {
        self.threads[self.current].quiet > 0
    }

    #[inline(never)]
    pub(crate) fn note_read(&mut self, addr: u64, size: u32, volatile: bool) {
        self.note(addr, size, if volatile { AccessKind::VolatileRead } else { AccessKind::Read });
    }

    #[inline(never)]
    pub(crate) fn note_write(&mut self, addr: u64, size: u32, volatile: bool) {
        self.note(addr, size, if volatile { AccessKind::VolatileWrite } else { AccessKind::Write });
    }

    /// Tells the race detector of an access that is possible.
    pub(crate) fn note(&mut self, addr: u64, size: u32, kind: AccessKind) {
        if !self.concurrent || size == 0 || self.is_quiet() {
            return;
        }
        let (thread, clock) = (self.thread_id(), &self.clocks[self.current].clock);
        if self.races.repeats(clock.epoch(thread), addr, size, kind) {
            return;
        }
        let place = self.place();
        let site = AccessSite(self.places.insert_full(place).0 as u32);
        self.tell_access(addr, size, place);
        let clock = &self.clocks[self.current].clock;
        if let Some(race) = self.races.access(clock, thread, addr, size, kind, site) {
            self.report_race(race);
        }
    }

    /// A range of memory begins a new life: nothing is known of it.
    pub(crate) fn forget(&mut self, addr: u64, len: u64) {
        if self.concurrent {
            self.races.forget(addr, len);
        }
        let (index, offset) = Memory::split(addr);
        self.memory.untaint(index, offset, len as usize);
        if self.memory.alloc(index).has_sync {
            self.forget_sync(addr, len);
        }
    }

    /// Forgets the synchronisation objects in a range of memory.
    pub(crate) fn forget_sync(&mut self, addr: u64, len: u64) {
        self.sync.forget(addr, len);
        self.apis.forget(addr, len);
        while let Some(&object) = self.sync_objects.range(addr..addr + len).next() {
            self.sync_objects.remove(&object);
            self.graph.forget(LockId(object));
            self.tokens.remove(&object);
            self.forget_channel(object);
            for thread in &mut self.threads {
                thread.held.retain(|held| held.addr != object);
            }
        }
    }

    /// Remembers that a synchronisation object lies at an address.
    pub(crate) fn sync_object(&mut self, addr: u64) {
        let (index, _) = Memory::split(addr);
        if self.memory.find(addr).is_some() {
            self.memory.alloc_mut(index).has_sync = true;
            self.sync_objects.insert(addr);
        }
    }
}
