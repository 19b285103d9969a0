//! Statics, consts, literals and vtables: created when they are first reached.

use crate::ir::{DataId, GlobalId, Slot, VtableId};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{AllocKind, Memory};
use crate::term::Origin;
use crate::thread::{Frame, FrameKind};

/// Maximum size of a constant that is shared with equal ones.
const LARGEST_SHARED: usize = 1024;

/// The state of a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GlobalState {
    /// Each thread has its own.
    PerThread,
    /// It has this address; its initialiser has run, or is running on the only running thread.
    At(u64),
}

impl Machine<'_> {
    /// `GlobalAddr`: starts the initialiser on first use. The initialiser may mention the global's own address.
    pub(crate) fn global_addr(&mut self, dst: Slot, global: GlobalId) -> Step {
        match self.globals.get(global.0) {
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
            None => {}
        }
        let description = self.host.global(global);
        let index = self.memory.allocate(u64::from(description.size), AllocKind::Global)?;
        let addr = Memory::address(index, 0);
        if description.thread_local {
            self.globals.insert(global.0, GlobalState::PerThread);
            self.thread().locals.insert(global, addr);
        } else {
            self.globals.insert(global.0, GlobalState::At(addr));
        }
        self.thread().quiet += 1;
        self.invoke(description.init, &[], FrameKind::Global { global, addr })
    }

    /// The initialiser has returned: its result becomes the global's value. Its frame stays, because the value may
    /// borrow from it. The `GlobalAddr` is executed again.
    pub(crate) fn finish_global(&mut self, frame: &Frame, global: GlobalId, addr: u64) -> Step {
        let (slot, size) = frame.code.ret;
        let (index, offset) = Memory::split(addr);
        let size = (size as usize).min(self.memory.size(index));
        if size > 0 {
            self.memory.copy((frame.index, slot as usize), (index, offset), size);
            self.share_constant(global, index, size);
        } else {
            self.place_nothing(global);
        }
        self.thread().quiet -= 1;
        Ok(Flow::Reload)
    }

    /// If an error that would end the run occurs in a global's initialiser, the value becomes unknown and the run
    /// continues.
    pub(crate) fn give_up_global(&mut self, stop: Stop) -> Result<(), Stop> {
        if !matches!(stop, Stop::Fault(_) | Stop::Aborted) {
            return Err(stop);
        }
        let Some((depth, global, addr)) = self.innermost_global() else { return Err(stop) };
        let description = self.host.global(global);
        let Some(cause) = description.lost else { return Err(stop) };
        self.save_pc();
        while self.thread().frames.len() > depth + 1 {
            self.pop_frame();
        }
        // The site in the initialiser.
        let (func, site) = self.here();
        self.pop_frame();
        self.thread().quiet -= 1;
        let term = self.terms.fresh(Origin::Unknown(cause), func, site);
        let (index, offset) = Memory::split(addr);
        let size = self.memory.size(index).min(description.size as usize);
        self.set_term_at((index, offset), size as u32, term);
        self.place_nothing(global);
        Ok(())
    }

    /// rustc does not allocate zero-sized constants: the address is the alignment.
    fn place_nothing(&mut self, global: GlobalId) {
        let description = self.host.global(global);
        if description.size == 0 && description.align > 0 && !description.is_static {
            self.globals.insert(global.0, GlobalState::At(description.align.into()));
        }
    }

    /// The initialiser that is running in this thread: number of frames below it, the global, its address.
    fn innermost_global(&self) -> Option<(usize, GlobalId, u64)> {
        let frames = self.threads.get(self.current).map_or(&[][..], |thread| &thread.frames);
        frames.iter().enumerate().rev().find_map(|(depth, frame)| match frame.kind {
            FrameKind::Global { global, addr } => Some((depth, global, addr)),
            _ => None,
        })
    }

    /// Whether an initialiser is running in this thread.
    pub(crate) fn is_in_global(&self) -> bool {
        self.innermost_global().is_some()
    }

    /// Equal constants have one address, as in a codegen unit of rustc: `Waker::will_wake` compares addresses of tables
    /// that each function borrows separately.
    fn share_constant(&mut self, global: GlobalId, index: usize, size: usize) {
        let description = self.host.global(global);
        if description.is_static || description.thread_local || size > LARGEST_SHARED {
            return;
        }
        if !self.memory.alloc(index).uninterpreted.is_empty() {
            return;
        }
        let bytes: Box<[u8]> = self.memory.bytes(index, 0, size).into();
        let addr = *self.constants.entry((description.align, bytes)).or_insert(Memory::address(index, 0));
        self.globals.insert(global.0, GlobalState::At(addr));
    }

    /// The global in an allocation.
    pub(crate) fn global_at(&self, index: usize) -> Option<GlobalId> {
        let addr = Memory::address(index, 0);
        if let Some(id) = self.all_globals().find_map(|it| it.find(|state| *state == GlobalState::At(addr))) {
            return Some(GlobalId(id));
        }
        let of_thread = |thread: &crate::thread::Thread| {
            let mut found = thread.locals.iter().filter(|(_, at)| **at == addr);
            found.next().map(|(global, _)| *global)
        };
        self.threads.iter().find_map(of_thread)
    }

    pub(crate) fn data_addr(&mut self, data: DataId) -> Result<u64, Stop> {
        if let Some(&addr) = self.data.get(data.0) {
            return Ok(addr);
        }
        let bytes = self.host.data(data);
        if bytes.is_empty() {
            // Like a zero-sized value with alignment 1.
            self.data.insert(data.0, 1);
            return Ok(1);
        }
        let index = self.memory.allocate(bytes.len() as u64, AllocKind::ReadOnly)?;
        self.memory.bytes_mut(index, 0, bytes.len()).copy_from_slice(&bytes);
        let addr = Memory::address(index, 0);
        self.data.insert(data.0, addr);
        Ok(addr)
    }

    /// A vtable in memory: drop glue or 0, size, alignment, methods or 0.
    pub(crate) fn vtable_addr(&mut self, vtable: VtableId) -> Result<u64, Stop> {
        if let Some(&addr) = self.vtables.get(vtable.0) {
            return Ok(addr);
        }
        let description = self.host.vtable(vtable);
        let mut entry = |func: Option<crate::ir::FnId>| func.map_or(0, |func| self.fn_addr(func));
        let mut words = vec![entry(description.drop), description.size, description.align];
        words.extend(description.methods.iter().map(|method| entry(*method)));
        let index = self.memory.allocate(words.len() as u64 * 8, AllocKind::ReadOnly)?;
        for (i, word) in words.into_iter().enumerate() {
            self.memory.put(index, i * 8, 8, word);
        }
        let addr = Memory::address(index, 0);
        self.vtables.insert(vtable.0, addr);
        Ok(addr)
    }
}
