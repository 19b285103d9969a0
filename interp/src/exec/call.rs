//! Calls and returns.

use crate::ir::{Body, CauseId, Code, FRAME_ALIGN, FnId, Instr, Pc, Site, Slot};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Fault};
use crate::run::Bound;
use crate::sched::PointKind;
use crate::thread::{Frame, FrameKind};
use crate::unit::{Scope, Unit};
use std::rc::Rc;

/// Code that only calls `func`, which is not interpreted itself.
pub(crate) fn trampoline(func: FnId, target: &Code) -> Code {
    let mut at = 0;
    let mut place = |size: u32| {
        let slot: Slot = at;
        at += size.next_multiple_of(16);
        slot
    };
    let params: Box<[(Slot, u32)]> = target.params.iter().map(|&(_, size)| (place(size), size)).collect();
    let ret = (place(target.ret.1), target.ret.1);
    let args = params.iter().map(|param| param.0).collect();
    Code {
        name: target.name.clone(),
        body: Body::Ir,
        frame_size: at.max(16),
        frame_align: FRAME_ALIGN,
        instrs: Box::new([Instr::Call { func, args, dst: ret.0 }, Instr::Return]),
        sites: Box::new([Site::NONE; 2]),
        unwind: Box::new([]),
        params,
        ret,
        flags: target.flags,
    }
}

impl Machine<'_> {
    /// Pushes a frame of zero bytes. Its kind says where the result goes.
    pub(crate) fn push_frame(&mut self, func: FnId, mut code: Rc<Unit>, kind: FrameKind) -> Result<(), Stop> {
        self.save_pc();
        self.mistyped |= code.flags.is_mistyped;
        let (free, depth) = self.next_frame();
        let size = code.frame_size as usize;
        // The free part starts at a multiple of the alignment that every frame needs.
        let offset = match code.frame_align {
            0..=FRAME_ALIGN => free,
            align => free.next_multiple_of(align as usize),
        };
        if depth >= self.config.max_depth {
            return Err(Stop::Bound(Bound::Depth));
        }
        let is_apart = matches!(kind, FrameKind::Global { .. } | FrameKind::Coroutine { .. });
        if let Some(plain) = &code.plain
            && (is_apart || !self.has_room(&code, offset, depth))
        {
            code = plain.clone();
        }
        let thread = &mut self.threads[self.current];
        let (index, offset) = match is_apart {
            true => {
                thread.sp = free;
                (self.memory.allocate(size as u64, AllocKind::Frame)?, 0)
            }
            false => {
                if offset + size > self.config.stack_bytes {
                    return Err(Stop::Bound(Bound::Stack));
                }
                thread.sp = offset + size;
                self.memory.grow(thread.stack, offset + code.extent as usize);
                self.memory.bytes_mut(thread.stack, offset, size).fill(0);
                self.memory.clear_uninterpreted(thread.stack, offset, size);
                (thread.stack, offset)
            }
        };
        (self.frame, self.base, self.pc) = (index, offset, 0);
        self.memory.select(index);
        let below = free;
        thread.frames.push(Frame { func, code, pc: 0, index, offset, below, kind, exception: 0, depth, context: 0 });
        Ok(())
    }

    /// Where the next frame on the stack starts, and the number of activations below it.
    #[inline]
    pub(crate) fn next_frame(&self) -> (usize, usize) {
        let thread = &self.threads[self.current];
        let Some(frame) = thread.frames.last() else {
            return (thread.sp, 0);
        };
        if frame.index != thread.stack || frame.code.plain.is_none() {
            return (thread.sp, frame.depth + 1);
        }
        let (size, level) = frame.in_use();
        (frame.offset + size as usize, frame.depth + level + 1)
    }

    /// Whether even the innermost inlined call reaches no bound.
    fn has_room(&self, unit: &Unit, offset: usize, depth: usize) -> bool {
        depth + (unit.depth as usize) < self.config.max_depth
            && offset + unit.extent as usize <= self.config.stack_bytes
    }

    /// `Enter`.
    #[inline]
    pub(crate) fn enter_scope(&mut self, scope: Option<&Scope>) -> Result<(), Stop> {
        let Some(scope) = scope else {
            return Err(Stop::Fault(Fault::BadCode));
        };
        self.mistyped |= scope.flags.is_mistyped;
        let (frame, offset, size) = (self.frame, self.base + scope.base as usize, scope.size as usize);
        self.memory.bytes_mut(frame, offset, size).fill(0);
        self.memory.clear_uninterpreted(frame, offset, size);
        for &(dst, src, size) in &scope.args {
            self.copy_slots(src, dst, size);
        }
        Ok(())
    }

    /// `Leave`; returns where the caller continues.
    #[inline]
    pub(crate) fn leave_scope(&mut self, scope: Option<&Scope>) -> Result<Pc, Stop> {
        let Some(scope) = scope else {
            return Err(Stop::Fault(Fault::BadCode));
        };
        if self.is_in_main_frame() {
            self.note_main_scope(scope);
        }
        let (offset, size) = (self.base + scope.base as usize, scope.size);
        if self.thread().lent.reaches(offset) {
            self.end_lending(offset, size as usize);
        }
        self.forget_frame(self.frame, offset, size);
        let (dst, src, size) = scope.ret;
        self.copy_slots(src, dst, size);
        Ok(scope.after)
    }

    /// Inlines the calls of the current function if it makes many. Returns whether the current instruction must be
    /// executed in the new code.
    #[cold]
    fn inline_calls(&mut self, made: u32) -> bool {
        let thread = &self.threads[self.current];
        let Some(frame) = thread.frames.last() else {
            return false;
        };
        let (func, old, is_on_stack) = (frame.func, frame.code.clone(), frame.index == thread.stack);
        let (offset, depth, pc) = (frame.offset, frame.depth, self.pc);
        let Some(new) = self.session.inline(func, &old, made) else {
            return false;
        };
        if !is_on_stack || !self.has_room(&new, offset, depth) {
            return false;
        }
        let Some(place) = old.place_in_plain(pc).and_then(|pc| new.place_of_plain(pc)) else {
            return false;
        };
        self.memory.grow(self.frame, offset + new.extent as usize);
        if let Some(frame) = self.thread().frames.last_mut() {
            frame.code = new;
            frame.pc = place;
        }
        true
    }

    /// Forgets the bytes of a frame that is no longer used.
    pub(crate) fn forget_frame(&mut self, index: usize, offset: usize, size: u32) {
        if self.memory.alloc(index).has_sync(offset, size as usize) {
            self.forget_sync(crate::memory::Memory::address(index, offset), u64::from(size));
        }
    }

    /// Removes the innermost frame; its bytes stay until they are reused, or released by the caller.
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        let thread = &mut self.threads[self.current];
        if let Some(frame) = thread.frames.last()
            && thread.lent.reaches(frame.offset)
            && frame.index == thread.stack
        {
            let (offset, size) = (frame.offset, frame.code.frame_size as usize);
            self.end_lending(offset, size);
        }
        let thread = &mut self.threads[self.current];
        let frame = thread.frames.pop()?;
        if frame.index == thread.stack {
            thread.sp = frame.below;
            self.forget_frame(frame.index, frame.offset, frame.code.frame_size);
        }
        Some(frame)
    }

    /// A call by code of the current frame.
    pub(crate) fn call(&mut self, func: FnId, args: &[Slot], dst: Slot) -> Step {
        let code = self.code(func);
        if !self.fits(&code, args, dst) {
            return Err(Stop::Fault(Fault::BadCode));
        }
        if code.body == Body::Ir && self.is_tired() {
            // It does not count as a step.
            self.steps -= 1;
            return Ok(Flow::Reload);
        }
        if self.concurrent {
            if let Some(api) = code.flags.api {
                self.note_api(func, api, args);
            }
            self.owners_counted |= code.flags.counts_owners;
            if code.flags.drops_owner && self.is_owner_point(code.flags) {
                return Ok(Flow::Switch(PointKind::Owners));
            }
        }
        match &code.body {
            Body::Ir => {
                let from = (self.frame, self.base);
                self.push_frame(func, code, FrameKind::Call { dst })?;
                self.pass(args, from);
                Ok(Flow::Reload)
            }
            Body::Model { model, consts } => self.call_model(*model, consts, &code, args, dst),
            Body::Fast { model, consts, real } => {
                let done = !self.session.real_bodies() && self.call_fast(*model, consts, &code, args, dst)?;
                if done {
                    return Ok(Flow::Next);
                }
                // A real body has no fast body itself.
                if matches!(self.code(*real).body, Body::Fast { .. }) {
                    return Err(Stop::Fault(Fault::BadCode));
                }
                self.call(*real, args, dst)
            }
            Body::Unknown { cause } => {
                self.unknown_call(func, *cause);
                self.unknown_value(dst, code.ret.1, *cause);
                Ok(Flow::Next)
            }
        }
    }

    /// Counts a call by the current frame. Returns whether the frame now has other code, in which the call must be
    /// executed.
    #[inline]
    fn is_tired(&mut self) -> bool {
        let Some(caller) = self.threads[self.current].frames.last() else {
            return false;
        };
        let patience = &caller.code.patience;
        match patience.get() {
            0 => false,
            1 => {
                patience.set(0);
                let made = caller.code.longest_patience;
                self.inline_calls(made)
            }
            more => {
                patience.set(more - 1);
                false
            }
        }
    }

    /// Copies arguments from a frame to the parameters of the innermost one.
    #[inline]
    fn pass(&mut self, args: &[Slot], (frame, base): (usize, usize)) {
        let Some(callee) = self.threads[self.current].frames.last() else {
            return;
        };
        for (&(slot, size), &arg) in callee.code.params.iter().zip(args) {
            if size > 0 {
                let to = (self.frame, self.base + slot as usize);
                self.memory.copy((frame, base + arg as usize), to, size as usize);
            }
        }
    }

    /// Whether the arguments and the result of a call are within the frame of the caller, which does not know their
    /// sizes.
    pub(crate) fn fits(&self, callee: &Code, args: &[Slot], dst: Slot) -> bool {
        let Some(caller) = self.threads[self.current].frames.last() else {
            return false;
        };
        let room = u64::from(caller.code.extent);
        let inside = |slot: Slot, size: u32| size == 0 || u64::from(slot) + u64::from(size) <= room;
        inside(dst, callee.ret.1) && callee.params.iter().zip(args).all(|(param, slot)| inside(*slot, param.1))
    }

    /// Whether a range is within the current frame.
    pub(crate) fn is_inside(&self, slot: Slot, size: u32) -> bool {
        let frame = self.threads[self.current].frames.last();
        frame.is_some_and(|frame| u64::from(slot) + u64::from(size) <= u64::from(frame.code.extent))
    }

    /// An unknown call may synchronise with any other such call.
    pub(crate) fn unknown_call(&mut self, func: FnId, cause: CauseId) {
        *self.unknown_calls.entry((func, cause)).or_insert(0) += 1;
        self.forget_uninterpreted_objects(None);
        self.order.on_unknown_call(self.thread_id());
    }

    /// Unsupported code: it may have been a call that kept its arguments.
    pub(crate) fn not_understood(&mut self, dst: Slot, size: u32, cause: CauseId) {
        self.save_pc();
        let (func, _) = self.here();
        self.unknown_call(func, cause);
        self.unknown_value(dst, size, cause);
    }

    /// A call by the machine itself: `args` are the first words of the parameters.
    pub(crate) fn invoke(&mut self, func: FnId, args: &[u64], kind: FrameKind) -> Step {
        let mut code = self.code(func);
        if code.body != Body::Ir {
            code = self.session.trampoline(func, &code);
        }
        self.push_frame(func, code.clone(), kind)?;
        for (&(slot, size), &arg) in code.params.iter().zip(args) {
            if size > 0 {
                self.write(slot, size.min(8), arg);
            }
        }
        Ok(Flow::Reload)
    }

    /// Continues after the call in the new innermost frame.
    pub(crate) fn advance(&mut self) -> Step {
        if let Some(frame) = self.thread().frames.last_mut() {
            frame.pc += 1;
        }
        Ok(Flow::Reload)
    }

    /// Copies the result of a popped frame to a slot of the innermost one.
    pub(crate) fn give_result(&mut self, frame: &Frame, dst: Slot) {
        let (slot, size) = frame.code.ret;
        if size > 0
            && let Some(caller) = self.threads[self.current].frames.last()
            && u64::from(dst) + u64::from(size) <= u64::from(caller.code.extent)
        {
            let to = (caller.index, caller.offset + dst as usize);
            self.memory.copy((frame.index, frame.offset + slot as usize), to, size as usize);
        }
    }

    /// `Return`.
    pub(crate) fn leave(&mut self, code: &Code) -> Step {
        if self.concurrent && self.is_last_point() {
            return Ok(Flow::Switch(PointKind::ThreadEnd));
        }
        if self.is_in_main_frame() {
            self.note_main_frame();
        }
        let Some(frame) = self.pop_frame() else {
            return Err(Stop::Aborted);
        };
        match frame.kind {
            FrameKind::Call { dst } => {
                self.give_result(&frame, dst);
                self.advance()
            }
            FrameKind::Try { dst, .. } => self.finish_try(dst, 0),
            FrameKind::Handler { dst } => self.finish_try(dst, 1),
            FrameKind::Global { global, addr } => self.finish_global(&frame, global, addr),
            FrameKind::Coroutine { id, handle, out, done } => self.finish_coroutine(&frame, id, handle, out, done),
            FrameKind::CoroutineDrop { id, handle } => self.finish_coroutine_drop(&frame, id, handle),
            FrameKind::Root => self.root_returned(code, &frame),
            FrameKind::Destructors => self.end_thread(),
            FrameKind::Exit { code } => Err(Stop::Exited(code)),
            FrameKind::Trap => Err(Stop::Aborted),
            FrameKind::Signal => self.finish_handler(),
        }
    }

    fn finish_try(&mut self, dst: Slot, unwound: u64) -> Step {
        self.reload();
        self.write(dst, 4, unwound);
        let (index, offset) = self.slot(dst);
        self.memory.clear_uninterpreted(index, offset, 4);
        self.advance()
    }

    fn root_returned(&mut self, code: &Code, frame: &Frame) -> Step {
        if self.is_main_thread() {
            let (slot, size) = code.ret;
            let at = frame.offset + slot as usize;
            self.thread().result = match size {
                4 => self.memory.get(frame.index, at, 4) as i32 as i64,
                8 => self.memory.get(frame.index, at, 8) as i64,
                1 | 2 => self.memory.get(frame.index, at, size) as i64,
                _ => 0,
            };
        }
        self.destroy_locals()
    }

    /// The first function has returned: runs thread-local destructors, then ends the thread.
    pub(crate) fn destroy_locals(&mut self) -> Step {
        match self.host.known_fn(crate::host::KnownFn::RunThreadLocalDestructors) {
            Some(func) => self.invoke(func, &[], FrameKind::Destructors),
            None => self.end_thread(),
        }
    }
}
