//! Objects behind addresses that are not known (decision 6). One is made when it is first looked at, and the same address leads
//! to the same one: what was read reads the same again, and what was written is there. That holds until something comes that
//! may have changed it unseen: an atomic access through such an address or a call that is not understood, after which other
//! threads may have written; a store through another such address, which may be the same place.

use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::term::TermId;
use rustc_hash::FxHashMap;

/// Bytes of such an object that are followed, from its address on.
const SIZE: usize = 256;
/// Objects that are followed in a run.
const MOST: usize = 64;

/// The allocation that stands for what is behind an address. The program has no pointer to it.
pub(crate) type UninterpretedObjects = FxHashMap<TermId, usize>;

impl Machine<'_> {
    /// The bytes behind an address, if they are followed.
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

    /// The same to be read: of bytes that nobody looked at as little is known as of the address.
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

    /// Bytes are stored behind an address. Of the other objects nothing is known after that.
    pub(super) fn write_uninterpreted_object(&mut self, address: TermId, offset: u32, from: (usize, usize), size: u32) {
        let Some(to) = self.uninterpreted_object(address, offset, size) else {
            return self.forget_uninterpreted_objects(None);
        };
        self.memory.alloc_mut(to.0).uninit.write(to.1, size as usize);
        self.memory.copy(from, to, size as usize);
        // It may have come from one of them.
        self.forget_uninterpreted_objects(Some(to.0));
    }

    /// What was looked at may be another by now, but for one object.
    pub(crate) fn forget_uninterpreted_objects(&mut self, kept: Option<usize>) {
        for index in self.uninterpreted_objects.values().copied().filter(|index| Some(*index) != kept) {
            let alloc = self.memory.alloc_mut(index);
            alloc.uninterpreted.clear(0, SIZE);
            alloc.uninit.forget(0, SIZE);
        }
    }
}
