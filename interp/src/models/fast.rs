//! Fast bodies: native versions of hot inner functions of std, on the same bytes. They are indistinguishable from the
//! real bodies, which run if something is unknown or unusual: each checks first and writes last.

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

/// A byte range within one allocation.
#[derive(Clone, Copy)]
struct Range {
    index: usize,
    offset: usize,
    len: usize,
}

impl Range {
    const EMPTY: Range = Range { index: 0, offset: 0, len: 0 };

    /// A part of it; it must be inside.
    fn part(self, start: usize, len: usize) -> Range {
        Range { offset: self.offset + start, len, ..self }
    }

    fn addr(self) -> u64 {
        Memory::address(self.index, self.offset)
    }
}

impl Call<'_, '_> {
    /// A range that can be read and is known.
    fn known(&self, addr: u64, len: u64) -> Option<Range> {
        let range = self.range(addr, len)?;
        let memory = &self.machine.memory;
        let alloc = memory.alloc(range.index);
        let is_unknown = memory.has_uninterpreted && alloc.uninterpreted.touches(range.offset, range.len);
        // Uninitialised bytes have no term before they are read.
        let is_uninit = !alloc.uninit.is_empty() && !alloc.uninit.parts(range.offset, range.len).is_empty();
        (!is_unknown && !is_uninit).then_some(range)
    }

    /// A range that can be read.
    fn range(&self, addr: u64, len: u64) -> Option<Range> {
        if len == 0 {
            return Some(Range::EMPTY);
        }
        let len = usize::try_from(len).ok().filter(|&len| len <= u32::MAX as usize)?;
        let (index, offset) = self.machine.memory.readable(addr, len).ok()?;
        Some(Range { index, offset, len })
    }

    /// A range that can be written.
    fn target(&self, addr: u64, len: u64) -> Option<Range> {
        let range = self.range(addr, len)?;
        (len == 0 || self.machine.memory.writable(addr, range.len).is_ok()).then_some(range)
    }

    /// Address and length of an argument that is a slice.
    fn slice(&self, index: usize) -> Result<(u64, u64), Stop> {
        Ok((self.part(index, 0, 8)?, self.part(index, 8, 8)?))
    }

    /// The bytes of a known range.
    fn bytes(&self, range: Range) -> &[u8] {
        self.machine.memory.bytes(range.index, range.offset, range.len)
    }

    /// Notifies the detectors of a read.
    fn reads(&mut self, range: Range) {
        if self.machine.concurrent && range.len > 0 {
            self.machine.note_read(range.addr(), range.len as u32, false);
        }
    }

    /// Writes bytes to a range of the same length and notifies the detectors.
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

    /// Writes the result: zeros, except words given by offset, size and value.
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
