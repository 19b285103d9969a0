//! Space for file contents, and copies between them and the program's memory.

use super::NoResult;
use crate::files::Text;
use crate::files::errno::ENOSPC;
use crate::files::tree::{Kind, NodeId};
use crate::machine::{Machine, Stop};
use crate::memory::AllocKind;

/// The part of the heap that files may take: one in this many.
const SHARE: u64 = 4;
/// Minimum capacity of a text.
const LEAST: usize = 64;
/// This many copied bytes count as one further step.
const BYTES_PER_STEP: usize = 64;

/// A range of the program's memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::models) struct Range {
    pub(in crate::models) addr: u64,
    pub(in crate::models) len: usize,
}

impl Machine<'_> {
    /// Ensures a capacity; contents are kept, at their address.
    pub(in crate::models) fn make_room(&mut self, text: &mut Text, len: usize) -> Result<(), NoResult> {
        let size = text.index.map_or(0, |index| self.memory.size(index));
        if len <= size {
            return Ok(());
        }
        let most = (self.config.heap_bytes / SHARE) as usize;
        let room = len.checked_next_power_of_two().unwrap_or(usize::MAX).max(LEAST);
        if room > most || self.files.bytes - size + room > most {
            // A disk may be that small.
            self.choose(|_, _| ());
            return Err(NoResult::Errno(ENOSPC));
        }
        match text.index {
            Some(index) => self.memory.enlarge(index, room as u64)?,
            None => text.index = Some(self.memory.allocate(room as u64, AllocKind::Heap)?),
        }
        self.files.bytes += room - size;
        Ok(())
    }

    pub(in crate::models) fn release_text(&mut self, text: Text) {
        if let Some(index) = text.index {
            self.files.bytes -= self.memory.size(index);
            self.free(index);
        }
    }

    /// Frees a node without paths and descriptors.
    pub(super) fn release_node(&mut self, id: NodeId) {
        let node = self.files.tree.node_mut(id);
        if node.links == 0
            && node.users == 0
            && let Kind::File(text) = &mut node.kind
        {
            let text = std::mem::take(text);
            self.release_text(text);
        }
    }

    /// Copies bytes of a text into the program's memory.
    pub(super) fn give(&mut self, text: Text, from: usize, to: Range) -> Result<(), Stop> {
        let Some(index) = text.index.filter(|_| to.len > 0) else { return Ok(()) };
        let place = self.memory.writable(to.addr, to.len)?;
        if self.concurrent {
            self.note_write(to.addr, to.len as u32, false);
        }
        self.memory.copy((index, from), place, to.len);
        self.steps += (to.len / BYTES_PER_STEP) as u64;
        Ok(())
    }

    /// Copies bytes of the program's memory into a text, which grows if necessary; a gap before them is zero.
    pub(super) fn take_in(&mut self, text: &mut Text, at: usize, from: Range) -> Result<(), NoResult> {
        if from.len == 0 {
            return Ok(());
        }
        let place = self.memory.readable(from.addr, from.len)?;
        let end = at.checked_add(from.len).ok_or(NoResult::Errno(ENOSPC))?;
        self.make_room(text, end)?;
        self.extend(text, at);
        if let Some(index) = text.index {
            self.memory.copy(place, (index, at), from.len);
        }
        text.len = text.len.max(end);
        self.steps += (from.len / BYTES_PER_STEP) as u64;
        Ok(())
    }

    /// Copies at most `most` bytes from the front of a text; returns how many.
    pub(in crate::models) fn give_front(&mut self, text: Text, ranges: &[Range], most: usize) -> Result<usize, Stop> {
        let (mut done, whole) = (0, text.len.min(most));
        for range in ranges {
            let len = range.len.min(whole - done);
            self.give(text, done, Range { len, ..*range })?;
            done += len;
        }
        Ok(done)
    }

    /// Removes bytes from the front of a text.
    pub(in crate::models) fn drop_front(&mut self, text: &mut Text, len: usize) {
        let len = len.min(text.len);
        if let Some(index) = text.index
            && len > 0
        {
            if text.len > len {
                self.memory.copy((index, len), (index, 0), text.len - len);
                self.touched((text.len - len) as u64);
            }
            text.len -= len;
        }
    }

    /// Appends at most `most` bytes to a text, without the first `skip`; returns how many.
    pub(in crate::models) fn take_back(
        &mut self,
        text: &mut Text,
        ranges: &[Range],
        mut skip: usize,
        most: usize,
    ) -> Result<usize, NoResult> {
        let mut done = 0;
        for range in ranges {
            let skipped = skip.min(range.len);
            skip -= skipped;
            let len = (range.len - skipped).min(most - done);
            let at = text.len;
            self.take_in(text, at, Range { addr: range.addr.wrapping_add(skipped as u64), len })?;
            done += len;
        }
        Ok(done)
    }

    /// Shortens a text. What follows is zero, as memory that is mapped shows.
    pub(super) fn shorten(&mut self, text: &mut Text, len: usize) {
        let gone = text.len.saturating_sub(len);
        if let Some(index) = text.index.filter(|_| gone > 0) {
            self.memory.bytes_mut(index, len, gone).fill(0);
            self.memory.clear_uninterpreted(index, len, gone);
            text.len = len;
        }
    }

    /// Extends a text with zeros, within its capacity.
    pub(super) fn extend(&mut self, text: &mut Text, len: usize) {
        if let Some(index) = text.index
            && len > text.len
        {
            self.memory.bytes_mut(index, text.len, len - text.len).fill(0);
            self.memory.clear_uninterpreted(index, text.len, len - text.len);
            text.len = len;
        }
    }
}
