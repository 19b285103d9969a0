//! Coroutines: bodies whose frames outlive a suspension.
//!
//! The object's handle word is 0 before the start, 1 after a return, 2 after a panic, else [`FIRST_HANDLE`] plus the
//! number of the suspended (or running) coroutine.

use crate::finding::StackEntry;
use crate::ir::{FnId, Pc, Slot, Trap};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{Fault, Memory};
use crate::thread::{Frame, FrameKind};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

const RETURNED: u64 = 1;
const PANICKED: u64 = 2;
const FIRST_HANDLE: u64 = 3;
/// Maximum number of futures that a finding names.
const MOST_FUTURES: usize = 64;

/// A suspended frame, and the operands of its suspension.
#[derive(Clone, Debug)]
struct SuspendedFrame {
    frame: Frame,
    arg: Slot,
    resume: Pc,
    drop: Pc,
}

/// A coroutine that was started.
#[derive(Clone, Debug)]
pub(crate) struct Coroutine {
    /// `None` while it runs, and after its end.
    suspended: Option<SuspendedFrame>,
}

impl Coroutine {
    /// Adds where it is suspended to a mark of a machine's state.
    pub(crate) fn mark(&self, mark: &mut impl Hasher) {
        let suspended = self.suspended.as_ref();
        suspended.map(|it| (it.frame.func, it.frame.index, it.resume, it.drop)).hash(mark);
    }
}

impl Machine<'_> {
    fn suspended(&mut self, object: u64, handle: u64) -> Result<(u32, SuspendedFrame), Stop> {
        let bad = Stop::Fault(Fault::BadCoroutine { addr: object });
        let id = handle - FIRST_HANDLE;
        let coroutine = self.coroutines.get_mut(id as usize).ok_or(bad)?;
        Ok((id as u32, coroutine.suspended.take().ok_or(bad)?))
    }

    /// Makes a suspended frame the innermost one.
    fn continue_frame(&mut self, mut frame: Frame, kind: FrameKind, pc: Pc) {
        self.save_pc();
        frame.kind = kind;
        frame.pc = pc;
        frame.context = 0;
        let (sp, depth) = self.next_frame();
        frame.depth = depth;
        let thread = self.thread();
        thread.sp = sp;
        thread.frames.push(frame);
        self.reload();
    }

    pub(crate) fn resume_coroutine(
        &mut self,
        obj: Slot,
        handle_offset: u32,
        body: FnId,
        arg: Slot,
        out: Slot,
        done: Slot,
    ) -> Step {
        let (object, arg) = (self.read(obj, 8), self.read(arg, 8));
        let address = object.wrapping_add(u64::from(handle_offset));
        match self.load_word(address, 8)? {
            0 => {
                let id = self.coroutines.len() as u32;
                self.coroutines.push(Coroutine { suspended: None });
                self.store_word(address, 8, u64::from(id) + FIRST_HANDLE)?;
                self.invoke(body, &[object, arg], FrameKind::Coroutine { id, handle: address, out, done })
            }
            RETURNED => self.trap(Trap::ResumedAfterReturn, &[]),
            PANICKED => self.trap(Trap::ResumedAfterPanic, &[]),
            handle => {
                let (id, suspended) = self.suspended(object, handle)?;
                let (slot, resume) = (suspended.arg, suspended.resume);
                self.continue_frame(suspended.frame, FrameKind::Coroutine { id, handle: address, out, done }, resume);
                self.write(slot, 8, arg);
                let (index, offset) = self.slot(slot);
                self.memory.clear_uninterpreted(index, offset, 8);
                Ok(Flow::Reload)
            }
        }
    }

    pub(crate) fn suspend(&mut self, arg: Slot, resume: Pc, drop: Pc) -> Step {
        let bad = Stop::Fault(Fault::BadCoroutine { addr: 0 });
        self.save_pc();
        let frame = self.pop_frame().ok_or(bad)?;
        let FrameKind::Coroutine { id, done, .. } = frame.kind else {
            return Err(bad);
        };
        self.coroutines[id as usize].suspended = Some(SuspendedFrame { frame, arg, resume, drop });
        self.set_done(done, 0);
        self.advance()
    }

    /// The futures that are suspended in code of the workspace: each from the innermost one outwards to those that
    /// have it in their frames and wait for it.
    pub(crate) fn suspended_futures(&self) -> Vec<Vec<StackEntry>> {
        let frames = self.coroutines.iter().filter_map(|it| Some(&it.suspended.as_ref()?.frame));
        // By the allocations of the frames.
        let suspended: BTreeMap<usize, &Frame> = frames.map(|frame| (frame.index, frame)).collect();
        let owner = |frame: &Frame| match frame.kind {
            FrameKind::Coroutine { handle, .. } => suspended.get(&Memory::split(handle).0).copied(),
            _ => None,
        };
        let owners: BTreeSet<usize> = suspended.values().filter_map(|frame| Some(owner(frame)?.index)).collect();
        let mut futures = Vec::new();
        for frame in suspended.values().filter(|frame| !owners.contains(&frame.index)).take(MOST_FUTURES) {
            let (mut stack, mut at) = (Vec::new(), Some(*frame));
            // No future is in its own frame; the bound is for code that no compiler has made.
            for _ in 0..self.config.max_depth {
                let Some(frame) = at else { break };
                let local = frame.activations().filter(|it| it.flags.is_local && !it.flags.is_shim);
                stack.extend(local.map(|it| StackEntry {
                    func: it.func,
                    site: it.site,
                    is_std: false,
                    is_local: true,
                }));
                at = owner(frame);
            }
            if !stack.is_empty() {
                futures.push(stack);
            }
        }
        futures
    }

    fn set_done(&mut self, done: Slot, value: u64) {
        self.reload();
        self.write(done, 1, value);
        let (index, offset) = self.slot(done);
        self.memory.clear_uninterpreted(index, offset, 1);
    }

    pub(crate) fn drop_coroutine(&mut self, obj: Slot, handle_offset: u32, captures: Option<FnId>) -> Step {
        let object = self.read(obj, 8);
        let address = object.wrapping_add(u64::from(handle_offset));
        match self.load_word(address, 8)? {
            0 => {
                self.store_word(address, 8, RETURNED)?;
                match captures {
                    Some(glue) => self.invoke(glue, &[object], FrameKind::Call { dst: 0 }),
                    None => Ok(Flow::Next),
                }
            }
            RETURNED | PANICKED => Ok(Flow::Next),
            handle => {
                let (id, suspended) = self.suspended(object, handle)?;
                self.continue_frame(suspended.frame, FrameKind::CoroutineDrop { id, handle: address }, suspended.drop);
                Ok(Flow::Reload)
            }
        }
    }

    /// Removes the frame; `how` becomes the handle.
    fn end_coroutine(&mut self, frame: &Frame, id: u32, handle: u64, how: u64) -> Result<(), Stop> {
        debug_assert!(self.coroutines[id as usize].suspended.is_none());
        self.store_word(handle, 8, how)?;
        self.free(frame.index);
        Ok(())
    }

    pub(crate) fn finish_coroutine(&mut self, frame: &Frame, id: u32, handle: u64, out: Slot, done: Slot) -> Step {
        self.give_result(frame, out);
        self.end_coroutine(frame, id, handle, RETURNED)?;
        self.set_done(done, 1);
        self.advance()
    }

    pub(crate) fn finish_coroutine_drop(&mut self, frame: &Frame, id: u32, handle: u64) -> Step {
        self.end_coroutine(frame, id, handle, RETURNED)?;
        self.advance()
    }

    pub(crate) fn coroutine_panicked(&mut self, frame: &Frame, id: u32, handle: u64) -> Result<(), Stop> {
        self.end_coroutine(frame, id, handle, PANICKED)
    }

    /// Frees an allocation, and forgets it.
    pub(crate) fn free(&mut self, index: usize) {
        let len = self.memory.size(index) as u64;
        self.forget(Memory::address(index, 0), len);
        self.memory.release(index);
    }
}
