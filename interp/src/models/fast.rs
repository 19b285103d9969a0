//! Fast bodies: what hot inner functions of std do, natively and over the same bytes. Nobody can tell one from the real
//! body, which does it whenever something is not known or not as it should be: each checks first and writes last.

pub(super) mod bytes;
pub(super) mod hash;
pub(super) mod iter;
pub(super) mod number;
pub(super) mod panics;

use super::Call;
use crate::machine::Stop;
use crate::memory::Memory;

pub(super) const HASHER: &str = "offsets of `state`, `length`, `tail`, `ntail`; rounds for a word and at the end";
pub(super) const VALID: &str = "offset, size and value of the tag of `Ok`";
pub(super) const OPTION: &str =
    "offset, size and value of the tag of `None`; the tag of `Some`; the offset of its field";
pub(super) const RANGE: &str =
    "as of an `Option`; offsets of `start` and `end`; size of the integer, and whether it is signed";
pub(super) const SLICE: &str = "offsets of the next element's address and of the end's; size of an element";

/// Bytes that lie in one allocation.
#[derive(Clone, Copy)]
struct Range {
    index: usize,
    offset: usize,
    len: usize,
}

impl Range {
    const EMPTY: Range = Range { index: 0, offset: 0, len: 0 };

    /// A part that must lie in it.
    fn part(self, start: usize, len: usize) -> Range {
        Range { offset: self.offset + start, len, ..self }
    }

    fn addr(self) -> u64 {
        Memory::address(self.index, self.offset)
    }
}

impl Call<'_, '_> {
    /// Bytes that can be read and are known.
    fn known(&self, addr: u64, len: u64) -> Option<Range> {
        let range = self.range(addr, len)?;
        let memory = &self.machine.memory;
        let alloc = memory.alloc(range.index);
        let is_unknown = memory.has_uninterpreted && alloc.uninterpreted.touches(range.offset, range.len);
        // What was never written has no term before somebody reads it.
        let is_uninit = !alloc.uninit.is_empty() && !alloc.uninit.parts(range.offset, range.len).is_empty();
        (!is_unknown && !is_uninit).then_some(range)
    }

    /// Bytes that can be read.
    fn range(&self, addr: u64, len: u64) -> Option<Range> {
        if len == 0 {
            return Some(Range::EMPTY);
        }
        let len = usize::try_from(len).ok().filter(|&len| len <= u32::MAX as usize)?;
        let (index, offset) = self.machine.memory.readable(addr, len).ok()?;
        Some(Range { index, offset, len })
    }

    /// Bytes that can be written.
    fn target(&self, addr: u64, len: u64) -> Option<Range> {
        let range = self.range(addr, len)?;
        (len == 0 || self.machine.memory.writable(addr, range.len).is_ok()).then_some(range)
    }

    /// The slice that an argument is.
    fn slice(&self, index: usize) -> Result<(u64, u64), Stop> {
        Ok((self.part(index, 0, 8)?, self.part(index, 8, 8)?))
    }

    /// The bytes of a range that is known.
    fn bytes(&self, range: Range) -> &[u8] {
        self.machine.memory.bytes(range.index, range.offset, range.len)
    }

    /// Tells the detectors of a read.
    fn reads(&mut self, range: Range) {
        if self.machine.concurrent && range.len > 0 {
            self.machine.note_read(range.addr(), range.len as u32, false);
        }
    }

    /// Writes bytes to a range of their length and tells the detectors.
    fn put(&mut self, range: Range, bytes: &[u8]) {
        if self.machine.concurrent && range.len > 0 {
            self.machine.note_write(range.addr(), range.len as u32, false);
        }
        self.machine.memory.bytes_mut(range.index, range.offset, range.len).copy_from_slice(bytes);
        self.machine.memory.clear_uninterpreted(range.index, range.offset, range.len);
    }

    /// A constant.
    fn number(&self, index: usize) -> u64 {
        self.consts.get(index).copied().unwrap_or(0)
    }

    /// Writes the result: zeros but for words at offsets, each of a size.
    fn answer(&mut self, words: &[(u64, u64, u64)]) {
        let (index, offset) = self.machine.slot(self.dst);
        let size = self.code.ret.1 as usize;
        self.machine.memory.bytes_mut(index, offset, size).fill(0);
        self.machine.memory.clear_uninterpreted(index, offset, size);
        for &(at, width, value) in words {
            if width > 0 && at.checked_add(width).is_some_and(|end| end <= size as u64) {
                self.machine.memory.put(index, offset + at as usize, width as u32, value);
            }
        }
    }
}
