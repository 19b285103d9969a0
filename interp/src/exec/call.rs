//! Calls and returns.

use crate::clock::ThreadId;
use crate::ir::{Body, CauseId, Code, FnId, Instr, Site, Slot};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Fault};
use crate::run::Bound;
use crate::sched::PointKind;
use crate::thread::{Frame, FrameKind};
use std::rc::Rc;

/// Code that does nothing but call `func`, which is not interpreted itself.
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
        instrs: Box::new([Instr::Call { func, args, dst: ret.0 }, Instr::Return]),
        sites: Box::new([Site::NONE; 2]),
        unwind: Box::new([]),
        params,
        ret,
        flags: target.flags,
    }
}

impl Machine<'_> {
    /// A new innermost frame, of zero bytes. Its kind says where the result goes.
    pub(crate) fn push_frame(&mut self, func: FnId, code: Rc<Code>, kind: FrameKind) -> Result<(), Stop> {
        self.save_pc();
        let size = code.frame_size as usize;
        let thread = &mut self.threads[self.current];
        if thread.frames.len() >= self.config.max_depth {
            return Err(Stop::Bound(Bound::Depth));
        }
        let (index, offset) = match kind {
            FrameKind::Global { .. } | FrameKind::Coroutine { .. } => {
                (self.memory.allocate(size as u64, AllocKind::Frame)?, 0)
            }
            _ => {
                let offset = thread.sp;
                if offset + size > self.config.stack_bytes {
                    return Err(Stop::Bound(Bound::Stack));
                }
                thread.sp = offset + size;
                self.memory.grow(thread.stack, offset + size);
                self.memory.bytes_mut(thread.stack, offset, size).fill(0);
                self.memory.untaint(thread.stack, offset, size);
                (thread.stack, offset)
            }
        };
        (self.frame, self.base, self.pc) = (index, offset, 0);
        thread.frames.push(Frame { func, code, pc: 0, index, offset, kind, exception: 0, context: 0 });
        Ok(())
    }

    /// Removes the innermost frame; its bytes stay until they are used again, or are released by the caller.
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        let thread = &mut self.threads[self.current];
        let frame = thread.frames.pop()?;
        if frame.index == thread.stack {
            thread.sp = frame.offset;
            if self.memory.alloc(frame.index).has_sync {
                let addr = crate::memory::Memory::address(frame.index, frame.offset);
                self.forget_sync(addr, u64::from(frame.code.frame_size));
            }
        }
        Some(frame)
    }

    /// A call by code of the current frame.
    pub(crate) fn call(&mut self, func: FnId, args: &[Slot], dst: Slot) -> Step {
        let code = self.code(func);
        if !self.fits(&code, args, dst) {
            return Err(Stop::Fault(Fault::BadCode));
        }
        if self.concurrent
            && let Some(api) = code.flags.api
        {
            self.note_api(func, api, args);
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
                if done { Ok(Flow::Next) } else { self.call(*real, args, dst) }
            }
            Body::Unknown { cause } => {
                self.unknown_call(func, *cause);
                self.unknown_value(dst, code.ret.1, *cause);
                Ok(Flow::Next)
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

    /// Whether the arguments and the result of a call lie in the frame of the caller, who does not know their sizes.
    pub(crate) fn fits(&self, callee: &Code, args: &[Slot], dst: Slot) -> bool {
        let Some(caller) = self.threads[self.current].frames.last() else {
            return false;
        };
        let room = u64::from(caller.code.frame_size);
        let inside = |slot: Slot, size: u32| size == 0 || u64::from(slot) + u64::from(size) <= room;
        inside(dst, callee.ret.1) && callee.params.iter().zip(args).all(|(param, slot)| inside(*slot, param.1))
    }

    /// What is known of a call that is not understood: it may synchronise with any other such call.
    pub(crate) fn unknown_call(&mut self, func: FnId, cause: CauseId) {
        *self.unknown_calls.entry((func, cause)).or_insert(0) += 1;
        let current = self.current;
        self.sync.unknown_call(&mut self.clocks[current]);
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

    /// Goes on after the call in the frame that is now innermost.
    pub(crate) fn advance(&mut self) -> Step {
        if let Some(frame) = self.thread().frames.last_mut() {
            frame.pc += 1;
        }
        Ok(Flow::Reload)
    }

    /// Copies the result of a frame that was popped to a slot of the innermost one.
    pub(crate) fn give_result(&mut self, frame: &Frame, dst: Slot) {
        let (slot, size) = frame.code.ret;
        if size > 0
            && let Some(caller) = self.threads[self.current].frames.last()
            && u64::from(dst) + u64::from(size) <= u64::from(caller.code.frame_size)
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
            FrameKind::Global { addr } => self.finish_global(&frame, addr),
            FrameKind::Coroutine { id, handle, out, done } => self.finish_coroutine(&frame, id, handle, out, done),
            FrameKind::CoroutineDrop { id, handle } => self.finish_coroutine_drop(&frame, id, handle),
            FrameKind::Root => self.root_returned(code, &frame),
            FrameKind::Destructors => self.end_thread(),
            FrameKind::Exit { code } => Err(Stop::Exited(code)),
            FrameKind::Trap => Err(Stop::Aborted),
        }
    }

    fn finish_try(&mut self, dst: Slot, unwound: u64) -> Step {
        self.reload();
        self.write(dst, 4, unwound);
        let (index, offset) = self.slot(dst);
        self.memory.untaint(index, offset, 4);
        self.advance()
    }

    fn root_returned(&mut self, code: &Code, frame: &Frame) -> Step {
        if self.thread_id() == ThreadId::ENTRY {
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

    /// The first function is done: thread-local destructors, then the end.
    pub(crate) fn destroy_locals(&mut self) -> Step {
        match self.host.known_fn(crate::host::KnownFn::RunThreadLocalDestructors) {
            Some(func) => self.invoke(func, &[], FrameKind::Destructors),
            None => self.end_thread(),
        }
    }
}
