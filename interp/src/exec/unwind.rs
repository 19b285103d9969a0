//! Panics: traps, unwinding, catching, and caller locations.

use crate::clock::ThreadId;
use crate::exec::behind::LEAVING;
use crate::finding::Owner;
use crate::ir::{FnId, Site, Slot, Trap};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Fault, Memory};
use crate::thread::{Frame, FrameKind};
use crate::unit::Activation;

impl Machine<'_> {
    /// Calls the panic function of a trap on top of the current frame.
    pub(crate) fn trap(&mut self, trap: Trap, args: &[u64]) -> Step {
        match self.host.trap_fn(trap) {
            Some(func) => self.invoke(func, args, FrameKind::Trap),
            None if matches!(trap, Trap::CannotUnwind | Trap::PanicInCleanup) => Err(Stop::Aborted),
            None => Err(Stop::NoTrapFn(trap)),
        }
    }

    /// Starts a panic in the current frame.
    pub(crate) fn unwind(&mut self, exception: u64) -> Step {
        self.save_pc();
        self.search(exception, false)
    }

    /// Continues unwinding after a cleanup.
    pub(crate) fn resume_unwinding(&mut self) -> Step {
        let Some(frame) = self.thread().frames.last_mut() else {
            return Err(Stop::Aborted);
        };
        let exception = std::mem::take(&mut frame.exception);
        self.search(exception, true)
    }

    /// Finds the cleanup of an exception, from the innermost frame outwards; `leaving` says that the innermost frame
    /// has finished its own.
    fn search(&mut self, exception: u64, mut leaving: bool) -> Step {
        let of_deadlock = exception == LEAVING;
        // Where the caller of an inlined call that was left continues.
        let mut after = None;
        loop {
            if of_deadlock && self.is_at_target() {
                return self.go_on_after(after);
            }
            let Some(frame) = self.threads[self.current].frames.last_mut() else {
                return Err(Stop::Aborted);
            };
            if !leaving {
                let range = frame.code.cleanup(frame.pc).copied();
                let cleaning = frame.exception != 0;
                if cleaning && range.is_none_or(|range| range.in_cleanup) {
                    self.reload();
                    return self.trap(Trap::PanicInCleanup, &[]);
                }
                if let Some(range) = range {
                    frame.exception = exception;
                    frame.pc = range.target;
                    return Ok(Flow::Reload);
                }
            }
            leaving = false;
            if let Some(scope) = frame.code.scope(frame.code.scope_at(frame.pc)) {
                let (index, offset, size) = (frame.index, frame.offset + scope.base as usize, scope.size);
                (frame.pc, after) = (scope.enter, Some(scope.after));
                self.forget_frame(index, offset, size);
                continue;
            }
            if frame.code.flags.no_unwind && !of_deadlock {
                self.reload();
                return self.trap(Trap::CannotUnwind, &[]);
            }
            if matches!(frame.kind, FrameKind::Global { .. }) {
                return Err(Stop::Fault(Fault::GlobalInit));
            }
            let Some(frame) = self.pop_frame() else {
                return Err(Stop::Aborted);
            };
            self.reload();
            after = None;
            match frame.kind {
                FrameKind::Try { .. } if of_deadlock => {}
                FrameKind::Root if of_deadlock && !self.is_main_thread() => return self.destroy_locals(),
                FrameKind::Root if of_deadlock => return Err(Stop::Deadlock),
                FrameKind::Call { .. } | FrameKind::Handler { .. } | FrameKind::Trap => {}
                FrameKind::Try { data, handler, dst } => {
                    let is_left = self.thread().frames.iter().all(|frame| frame.code.flags.is_std);
                    self.thread().panicked |= is_left;
                    self.caught(is_left);
                    let func = self.fn_at(handler)?;
                    return self.invoke(func, &[data, exception], FrameKind::Handler { dst });
                }
                FrameKind::Coroutine { id, handle, .. } | FrameKind::CoroutineDrop { id, handle } => {
                    self.coroutine_panicked(&frame, id, handle)?;
                }
                FrameKind::Root if self.is_main_thread() => {
                    return Err(Stop::Panicked);
                }
                FrameKind::Root => {
                    let thread = self.thread_id();
                    self.panicked.push(thread);
                    self.caught(true);
                    return self.destroy_locals();
                }
                FrameKind::Global { .. } | FrameKind::Destructors | FrameKind::Exit { .. } | FrameKind::Signal => {
                    return Err(Stop::Aborted);
                }
            }
        }
    }

    /// `CatchUnwind`.
    pub(crate) fn catch_unwind(&mut self, func: Slot, data: Slot, handler: Slot, dst: Slot) -> Step {
        let (func, data, handler) = (self.read(func, 8), self.read(data, 8), self.read(handler, 8));
        let func = self.fn_at(func)?;
        self.invoke(func, &[data], FrameKind::Try { data, handler, dst })
    }

    /// `CallerLocation`: the address of a `Location`, one for each location.
    pub(crate) fn caller_location(&mut self) -> Result<u64, Stop> {
        self.save_pc();
        let frames = &self.threads[self.current].frames;
        let mut activations = frames.iter().rev().flat_map(Frame::activations);
        let caller = activations.find(|activation| !activation.flags.track_caller);
        let outermost = || frames.first().and_then(|frame| frame.activations().last());
        let caller = caller.or_else(outermost);
        drop(activations);
        let Some(Activation { func, site, .. }) = caller else {
            return Err(Stop::Aborted);
        };
        self.location(func, site)
    }

    /// `Here`: the same for the location of the innermost frame.
    pub(crate) fn own_location(&mut self) -> Result<u64, Stop> {
        self.save_pc();
        let (func, site) = self.here();
        self.location(func, site)
    }

    fn location(&mut self, func: FnId, site: Site) -> Result<u64, Stop> {
        if let Some(&addr) = self.locations.get(&(func, site)) {
            return Ok(addr);
        }
        let layout = self.host.location_layout();
        let place = self.host.locate(func, site);
        let (file, line, column) = match &place {
            Some(place) => (&*place.file, place.line, place.column),
            None => ("<generated>", 0, 0),
        };
        // A zero byte follows the name: `Location::file_as_c_str` relies on it.
        let name = self.memory.allocate(file.len() as u64 + 1, AllocKind::ReadOnly)?;
        self.memory.bytes_mut(name, 0, file.len()).copy_from_slice(file.as_bytes());
        let index = self.memory.allocate(u64::from(layout.size), AllocKind::ReadOnly)?;
        self.memory.put(index, layout.file as usize, 8, Memory::address(name, 0));
        self.memory.put(index, layout.file as usize + 8, 8, file.len() as u64);
        self.memory.put(index, layout.line as usize, 4, u64::from(line));
        self.memory.put(index, layout.column as usize, 4, u64::from(column));
        let addr = Memory::address(index, 0);
        self.locations.insert((func, site), addr);
        Ok(addr)
    }

    /// The owner of an address.
    pub(crate) fn owner(&self, addr: u64) -> (Owner, u64) {
        let (index, offset) = Memory::split(addr);
        let offset = offset as u64;
        let Some(alloc) = self.memory.find(addr) else {
            return (Owner::Other, offset);
        };
        let owner = match alloc.kind {
            AllocKind::Heap => Owner::Heap,
            AllocKind::Frame => Owner::Coroutine,
            AllocKind::Stack => {
                let thread = self.threads.iter().position(|thread| thread.stack == index);
                thread.map_or(Owner::Other, |thread| Owner::Stack(ThreadId(thread as u32)))
            }
            AllocKind::Global => self.global_at(index).map_or(Owner::Other, Owner::Global),
            AllocKind::ReadOnly | AllocKind::Free => Owner::Other,
        };
        (owner, offset)
    }
}
