//! Allocations that grow in place.

use super::{MAX_ALLOCATION, Memory, OutOfMemory};

impl Memory {
    /// Grows the allocation of a stack so that it has at least `size` bytes.
    #[inline]
    pub fn grow(&mut self, index: usize, size: usize) {
        let bytes = self.held_mut(index);
        if bytes.len() < size {
            bytes.resize(size.next_power_of_two().max(4096), 0);
        }
    }

    /// Enlarges an allocation of the heap to `size` bytes, in place.
    pub fn enlarge(&mut self, index: usize, size: u64) -> Result<(), OutOfMemory> {
        let more = size.saturating_sub(self.size(index) as u64);
        if size > MAX_ALLOCATION || self.heap_used + more > self.heap_limit {
            return Err(OutOfMemory);
        }
        self.heap_used += more;
        self.held_mut(index).resize(size as usize, 0);
        Ok(())
    }
}
