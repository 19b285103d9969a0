//! Operations on byte ranges of any length.

use crate::machine::{Machine, Stop};
use crate::memory::{Fault, MAX_ALLOCATION};

/// This many bytes count as one further step.
const BYTES_PER_STEP: u64 = 64;

impl Machine<'_> {
    /// Counts the bytes that an instruction or call has accessed.
    pub(crate) fn touched(&mut self, bytes: u64) {
        self.steps += bytes / BYTES_PER_STEP;
    }

    /// Lengths beyond any allocation are invalid.
    fn length(&mut self, addr: u64, len: u64) -> Result<usize, Stop> {
        if len > MAX_ALLOCATION {
            return Err(Stop::Fault(Fault::OutOfRange { addr, len }));
        }
        self.touched(len);
        Ok(len as usize)
    }

    pub(crate) fn move_bytes(&mut self, from: u64, to: u64, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let size = self.length(from, len)?;
        let source = self.memory.readable(from, size)?;
        let target = self.memory.writable(to, size)?;
        if self.concurrent {
            self.note_read(from, len as u32, false);
            self.note_write(to, len as u32, false);
        }
        self.memory.copy(source, target, size);
        Ok(())
    }

    pub(crate) fn set_bytes(&mut self, to: u64, value: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let size = self.length(to, len)?;
        let (index, offset) = self.memory.writable(to, size)?;
        if self.concurrent {
            self.note_write(to, len as u32, false);
        }
        self.memory.bytes_mut(index, offset, size).fill(value);
        self.memory.clear_uninterpreted(index, offset, size);
        Ok(())
    }

    pub(crate) fn compare_bytes(&mut self, a: u64, b: u64, len: u64) -> Result<i32, Stop> {
        if len == 0 {
            return Ok(0);
        }
        let size = self.length(a, len)?;
        let (a_index, a_offset) = self.memory.readable(a, size)?;
        let (b_index, b_offset) = self.memory.readable(b, size)?;
        if self.concurrent {
            self.note_read(a, len as u32, false);
            self.note_read(b, len as u32, false);
        }
        let left = self.memory.bytes(a_index, a_offset, size);
        Ok(left.cmp(self.memory.bytes(b_index, b_offset, size)) as i32)
    }

    /// A copy of bytes of the program's memory.
    pub(crate) fn load_bytes(&mut self, addr: u64, len: u64) -> Result<Vec<u8>, Stop> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let size = self.length(addr, len)?;
        let (index, offset) = self.memory.readable(addr, size)?;
        Ok(self.memory.bytes(index, offset, size).to_vec())
    }
}
