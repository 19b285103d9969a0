//! Statics, consts, literals and vtables: made when they are first reached.

use crate::ir::{DataId, GlobalId, Slot, VtableId};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Memory};
use crate::thread::{Frame, FrameKind};

/// How far a global is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum GlobalState {
    /// Not reached.
    #[default]
    Unknown,
    /// Each thread has its own.
    PerThread,
    /// It has this address; its initialiser ran, or is running on the only thread that runs.
    At(u64),
}

impl Machine<'_> {
    /// `GlobalAddr`: starts the initialiser when it is first needed. A global may mention its own address in it.
    pub(crate) fn global_addr(&mut self, dst: Slot, global: GlobalId) -> Step {
        match self.globals.get(global.0 as usize) {
            Some(GlobalState::At(addr)) => {
                let addr = *addr;
                self.write(dst, 8, addr);
                return Ok(Flow::Next);
            }
            Some(GlobalState::PerThread) => {
                if let Some(&addr) = self.threads[self.current].locals.get(&global) {
                    self.write(dst, 8, addr);
                    return Ok(Flow::Next);
                }
            }
            Some(GlobalState::Unknown) | None => {}
        }
        let description = self.host.global(global);
        let index = self
            .memory
            .allocate(u64::from(description.size), AllocKind::Global)?;
        let addr = Memory::address(index, 0);
        let slot = global.0 as usize;
        if self.globals.len() <= slot {
            self.globals.resize(slot + 1, GlobalState::Unknown);
        }
        if description.thread_local {
            self.globals[slot] = GlobalState::PerThread;
            self.thread().locals.insert(global, addr);
        } else {
            self.globals[slot] = GlobalState::At(addr);
        }
        self.thread().quiet += 1;
        self.invoke(description.init, &[], FrameKind::Global { global, addr })
    }

    /// The initialiser returned: its result is the global's value, and its frame stays, for the value may borrow
    /// from it. The `GlobalAddr` is executed once more.
    pub(crate) fn finish_global(&mut self, frame: &Frame, global: GlobalId, addr: u64) -> Step {
        let (slot, size) = frame.code.ret;
        let (index, offset) = Memory::split(addr);
        let size = (size as usize).min(self.memory.alloc(index).bytes.len());
        debug_assert!(self.globals.get(global.0 as usize).is_some());
        if size > 0 {
            self.memory
                .copy((frame.index, slot as usize), (index, offset), size);
        }
        self.thread().quiet -= 1;
        Ok(Flow::Reload)
    }

    /// The global that an allocation is of.
    pub(crate) fn global_at(&self, index: usize) -> Option<GlobalId> {
        let addr = Memory::address(index, 0);
        if let Some(id) = self
            .globals
            .iter()
            .position(|state| *state == GlobalState::At(addr))
        {
            return Some(GlobalId(id as u32));
        }
        let mut locals: Vec<GlobalId> = Vec::new();
        for thread in &self.threads {
            for id in 0..self.globals.len() as u32 {
                if thread.locals.get(&GlobalId(id)) == Some(&addr) {
                    locals.push(GlobalId(id));
                }
            }
        }
        locals.first().copied()
    }

    pub(crate) fn data_addr(&mut self, data: DataId) -> Result<u64, Stop> {
        let slot = data.0 as usize;
        if let Some(&addr) = self.data.get(slot).filter(|addr| **addr != 0) {
            return Ok(addr);
        }
        let bytes = self.host.data(data);
        let index = self
            .memory
            .allocate(bytes.len() as u64, AllocKind::ReadOnly)?;
        self.memory
            .bytes_mut(index, 0, bytes.len())
            .copy_from_slice(&bytes);
        remember(&mut self.data, slot, Memory::address(index, 0))
    }

    /// A vtable in memory: drop glue or 0, size, alignment, methods or 0.
    pub(crate) fn vtable_addr(&mut self, vtable: VtableId) -> Result<u64, Stop> {
        let slot = vtable.0 as usize;
        if let Some(&addr) = self.vtables.get(slot).filter(|addr| **addr != 0) {
            return Ok(addr);
        }
        let description = self.host.vtable(vtable);
        let entry = |func: &Option<crate::ir::FnId>| func.map_or(0, Memory::fn_addr);
        let mut words = vec![
            entry(&description.drop),
            description.size,
            description.align,
        ];
        words.extend(description.methods.iter().map(entry));
        let index = self
            .memory
            .allocate(words.len() as u64 * 8, AllocKind::ReadOnly)?;
        for (i, word) in words.into_iter().enumerate() {
            self.memory.put(index, i * 8, 8, word);
        }
        remember(&mut self.vtables, slot, Memory::address(index, 0))
    }
}

fn remember(addresses: &mut Vec<u64>, slot: usize, addr: u64) -> Result<u64, Stop> {
    if addresses.len() <= slot {
        addresses.resize(slot + 1, 0);
    }
    addresses[slot] = addr;
    Ok(addr)
}
