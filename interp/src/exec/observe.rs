//! Notifies detectors of accesses, and of memory that is reused.

use crate::detect::race::{AccessKind, AccessSite};
use crate::machine::{Machine, site_at};
use crate::memory::Memory;
use crate::site_cache::{Instruction, InstructionInfo};
use crate::stack::{Contexts, InlinedCall, Place};
use crate::thread::Frame;
use crate::unit::ROOT;
use smallvec::SmallVec;

/// The context of the innermost call in a frame whose own context is known.
fn innermost_context(contexts: &mut Contexts, frame: &Frame) -> u32 {
    let mut scope = frame.code.scope_at(frame.pc);
    let mut unknown: SmallVec<[InlinedCall; 16]> = SmallVec::new();
    let mut context = frame.context;
    while scope != ROOT {
        let call = InlinedCall { outer: frame.context, unit: frame.code.number, scope };
        if let Some(known) = contexts.inlined(call) {
            context = known;
            break;
        }
        unknown.push(call);
        scope = frame.code.scope(scope).map_or(ROOT, |scope| scope.parent);
    }
    for call in unknown.into_iter().rev() {
        if let Some(scope) = frame.code.scope(call.scope) {
            context = contexts.enter(context, site_at(&frame.code, scope.enter), scope.func, scope.flags);
        }
        contexts.keep_inlined(call, context);
    }
    context
}

impl Machine<'_> {
    /// The calling context of the current thread. The innermost frame's pc must be saved.
    fn context(&mut self) -> u32 {
        let frames = &mut self.threads[self.current].frames;
        let known = frames.iter().rposition(|frame| frame.context != 0);
        let start = known.map_or(0, |index| index + 1);
        for index in start..frames.len() {
            let (parent, call) = match index.checked_sub(1).and_then(|below| frames.get(below)) {
                Some(below) => (innermost_context(&mut self.contexts, below), site_at(&below.code, below.pc)),
                None => (0, crate::ir::Site::NONE),
            };
            let frame = &mut frames[index];
            frame.context = self.contexts.enter(parent, call, frame.func, frame.code.flags);
        }
        frames.last().map_or(0, |frame| innermost_context(&mut self.contexts, frame))
    }

    /// The place of the current thread.
    pub(crate) fn place(&mut self) -> Place {
        self.known_here().1.place
    }

    /// The current instruction of the current thread, and the cached facts about it.
    pub(crate) fn known_here(&mut self) -> (Instruction, InstructionInfo) {
        self.save_pc();
        let mut at = self.instruction();
        if at.context == 0 {
            self.context();
            at = self.instruction();
        }
        if let Some(known) = self.site_cache.get(at) {
            return (at, known);
        }
        let context = self.context();
        let (_, site) = self.here();
        let known = InstructionInfo { place: Place { context, site }, site: None, point: None };
        self.site_cache.keep(at, known);
        (at, known)
    }

    #[inline]
    fn instruction(&self) -> Instruction {
        let frame = self.threads[self.current].frames.last();
        frame.map_or(Instruction { context: 0, unit: 0, pc: 0 }, |frame| Instruction {
            context: frame.context,
            unit: frame.code.number,
            pc: frame.pc,
        })
    }

    /// The place and site of an access by the current thread.
    pub(crate) fn access_site(&mut self) -> (Place, AccessSite) {
        let (at, known) = self.known_here();
        if let Some(site) = known.site {
            return (known.place, site);
        }
        let site = AccessSite(self.places.insert_full(known.place).0 as u32);
        self.site_cache.keep(at, InstructionInfo { site: Some(site), ..known });
        (known.place, site)
    }

    pub(crate) fn is_quiet(&self) -> bool {
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

    /// Notifies the race detector of a valid access.
    pub(crate) fn note(&mut self, addr: u64, size: u32, kind: AccessKind) {
        if !self.concurrent || size == 0 || self.is_quiet() {
            return;
        }
        let thread = self.thread_id();
        if self.races.repeats(self.order.epoch(thread), addr, size, kind) {
            return;
        }
        let (place, site) = self.access_site();
        self.tell_access(addr, size, place);
        match self.races.on_access(self.order.clock(thread), thread, addr, size, kind, site) {
            Some(race) => {
                self.forget_making(addr);
                self.report_race(race);
            }
            None => self.note_lifetime(addr, size, kind, site),
        }
    }

    /// A range of memory is reused: forgets everything about it.
    pub(crate) fn forget(&mut self, addr: u64, len: u64) {
        let (index, offset) = Memory::split(addr);
        if self.concurrent {
            if self.thread().lent.reaches(offset) && index == self.thread().stack {
                self.end_lending(offset, len as usize);
            }
            self.races.on_forget(addr, len);
        }
        self.memory.clear_uninterpreted(index, offset, len as usize);
        if self.memory.alloc(index).has_sync(offset, len as usize) {
            self.forget_sync(addr, len);
        }
    }

    /// Forgets the synchronisation objects in a range of memory.
    pub(crate) fn forget_sync(&mut self, addr: u64, len: u64) {
        self.order.on_forget(addr, len);
        self.apis.on_forget(addr, len);
        while let Some(object) = self.sync.first_in(addr, len) {
            if let Some(channel) = self.sync.forget(object) {
                self.drop_channel(channel);
            }
        }
        let (index, offset) = Memory::split(addr);
        self.memory.alloc_mut(index).forget_sync(offset, len as usize);
    }

    /// Notes a synchronisation object at an address.
    pub(crate) fn sync_object(&mut self, addr: u64) {
        let (index, offset) = Memory::split(addr);
        if self.memory.find(addr).is_some() {
            self.memory.alloc_mut(index).note_sync(offset);
            self.sync.add(addr);
        }
    }
}
