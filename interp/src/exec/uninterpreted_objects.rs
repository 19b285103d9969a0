//! Objects behind unknown addresses (decision 6). An object is created at its first access, and the same address leads
//! to the same object: repeated reads agree, and written values are read back. This holds until something may have
//! changed it: an atomic access through such an address or an unknown call, after which other threads may have written;
//! or a store through another such address, which may be an alias.

use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::term::TermId;
use rustc_hash::FxHashMap;

/// Size of such an object: bytes from its address on that are tracked.
const SIZE: usize = 256;
/// Maximum number of such objects in a run.
const MOST: usize = 64;

/// The allocations of objects, by address term. The program has no pointers to them.
pub(crate) type UninterpretedObjects = FxHashMap<TermId, usize>;

impl Machine<'_> {
    /// The bytes behind an address, if they are tracked.
    fn uninterpreted_object(&mut self, address: TermId, offset: u32, size: u32) -> Option<(usize, usize)> {
        let (base, before) = self.terms.address(address);
        let start = before.checked_add(u64::from(offset))?;
        if size == 0 || start.checked_add(u64::from(size))? > SIZE as u64 {
            return None;
        }
        let index = match self.uninterpreted_objects.get(&base) {
            Some(index) => *index,
            None if self.uninterpreted_objects.len() < MOST => {
                let index = self.memory.allocate(SIZE as u64, AllocKind::Global).ok()?;
                self.memory.alloc_mut(index).uninit.forget(0, SIZE);
                self.uninterpreted_objects.insert(base, index);
                index
            }
            None => return None,
        };
        Some((index, start as usize))
    }

    /// The same for reading: bytes without a value yet become unknown values that depend on the address.
    pub(super) fn read_uninterpreted_object(
        &mut self,
        address: TermId,
        offset: u32,
        size: u32,
    ) -> Option<(usize, usize)> {
        let (index, start) = self.uninterpreted_object(address, offset, size)?;
        for (from, len) in self.memory.alloc(index).uninit.parts(start, size as usize) {
            let term = self.terms.derived(address);
            self.set_term_at((index, start + from), len as u32, term);
        }
        Some((index, start))
    }

    /// Stores bytes behind an address. All other objects become unknown.
    pub(super) fn write_uninterpreted_object(&mut self, address: TermId, offset: u32, from: (usize, usize), size: u32) {
        let Some(to) = self.uninterpreted_object(address, offset, size) else {
            return self.forget_uninterpreted_objects(None);
        };
        self.memory.alloc_mut(to.0).uninit.write(to.1, size as usize);
        self.memory.copy(from, to, size as usize);
        // The source may be one of these objects.
        self.forget_uninterpreted_objects(Some(to.0));
    }

    /// All objects become unknown, except one.
    pub(crate) fn forget_uninterpreted_objects(&mut self, kept: Option<usize>) {
        for index in self.uninterpreted_objects.values().copied().filter(|index| Some(*index) != kept) {
            let alloc = self.memory.alloc_mut(index);
            alloc.uninterpreted.clear(0, SIZE);
            alloc.uninit.forget(0, SIZE);
        }
    }
}
