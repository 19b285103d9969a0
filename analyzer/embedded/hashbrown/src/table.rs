//! The table: slots with their hashes, probed one after the other.

use alloc::vec::Vec;
use core::alloc::Layout;
use core::borrow::Borrow;
use core::mem;

use super::list::{Allocator, List};

/// Why room could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TryReserveError {
    /// More elements than memory has addresses.
    CapacityOverflow,
    /// The allocator had none.
    AllocError {
        /// What was asked for.
        layout: Layout,
    },
}

#[derive(Clone)]
pub(crate) enum Slot<K, V> {
    /// A search ends here.
    Empty,
    /// A search goes on: something was here.
    Removed,
    /// The element and its hash, so that growing calls no `Hash`.
    Full(u64, K, V),
}

#[derive(Clone)]
pub(crate) struct Table<K, V, A: Allocator> {
    /// None, or a power of two of which less than half is in use, so that probes are short and end.
    pub(crate) slots: List<Slot<K, V>, A>,
    /// Full slots.
    items: u32,
    /// Full and removed slots.
    used: u32,
}

/// Two slots for each bucket of the real table, whose capacities these are.
fn capacity_of(slots: usize) -> usize {
    match slots / 2 {
        0 => 0,
        buckets if buckets < 8 => buckets - 1,
        buckets => buckets / 8 * 7,
    }
}

fn slots_for(capacity: usize) -> Option<usize> {
    Some(match capacity {
        0 => 0,
        1..4 => 8,
        4..8 => 16,
        _ => (capacity.checked_mul(8)? / 7).checked_next_power_of_two()?.checked_mul(2)?,
    })
}

impl<K, V, A: Allocator> Table<K, V, A> {
    pub(crate) const fn new_in(allocator: A) -> Table<K, V, A> {
        Table { slots: List::new_in(allocator), items: 0, used: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.items as usize
    }

    pub(crate) fn capacity(&self) -> usize {
        capacity_of(self.slots.len())
    }

    /// Where the element of this hash and key is.
    pub(crate) fn find<Q: ?Sized + Eq>(&self, hash: u64, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        if self.items == 0 {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match &self.slots[at] {
                Slot::Empty => return None,
                Slot::Full(other, found, _) if *other == hash && key == found.borrow() => {
                    return Some(at);
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    pub(crate) fn entry(&self, at: usize) -> (&K, &V) {
        match &self.slots[at] {
            Slot::Full(_, key, value) => (key, value),
            _ => unreachable!("a slot that was found is full"),
        }
    }

    pub(crate) fn entry_mut(&mut self, at: usize) -> (&mut K, &mut V) {
        match &mut self.slots[at] {
            Slot::Full(_, key, value) => (key, value),
            _ => unreachable!("a slot that was found is full"),
        }
    }

    /// Adds an element that is known to be absent and says where it is.
    pub(crate) fn insert(&mut self, hash: u64, key: K, value: V) -> usize {
        if self.used as usize >= self.capacity() {
            self.reserve(1);
        }
        self.place(hash, key, value)
    }

    fn place(&mut self, hash: u64, key: K, value: V) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match &self.slots[at] {
                Slot::Full(..) => at = (at + 1) & mask,
                Slot::Removed => break,
                Slot::Empty => {
                    self.used += 1;
                    break;
                }
            }
        }
        self.slots[at] = Slot::Full(hash, key, value);
        self.items += 1;
        at
    }

    /// Takes the element at `at` out, if there is one.
    pub(crate) fn remove(&mut self, at: usize) -> Option<(K, V)> {
        if !matches!(self.slots[at], Slot::Full(..)) {
            return None;
        }
        let next = (at + 1) & (self.slots.len() - 1);
        let is_end = matches!(self.slots[next], Slot::Empty);
        let left = if is_end { Slot::Empty } else { Slot::Removed };
        self.items -= 1;
        self.used -= u32::from(is_end);
        match mem::replace(&mut self.slots[at], left) {
            Slot::Full(_, key, value) => Some((key, value)),
            _ => None,
        }
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        match self.try_reserve(additional) {
            Ok(()) => {}
            Err(TryReserveError::CapacityOverflow) => panic!("Hash table capacity overflow"),
            Err(TryReserveError::AllocError { layout }) => alloc::alloc::handle_alloc_error(layout),
        }
    }

    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        let capacity = self.capacity();
        if additional <= capacity - self.used as usize {
            return Ok(());
        }
        let needed = self.len().checked_add(additional).ok_or(TryReserveError::CapacityOverflow)?;
        // Many removed slots: the same size will do once they are swept.
        let slots = if needed <= capacity / 2 {
            self.slots.len()
        } else {
            slots_for(needed.max(capacity + 1)).ok_or(TryReserveError::CapacityOverflow)?
        };
        self.resize(slots)
    }

    pub(crate) fn shrink_to(&mut self, capacity: usize) {
        let Some(slots) = slots_for(capacity.max(self.len())) else {
            return;
        };
        // Making less of it asks for no memory that could be missing.
        if slots < self.slots.len() && self.resize(slots).is_ok() {
            self.slots.shrink_to_fit();
        }
    }

    fn resize(&mut self, slots: usize) -> Result<(), TryReserveError> {
        let layout = Layout::array::<Slot<K, V>>(slots).map_err(|_| TryReserveError::CapacityOverflow)?;
        let more = slots.saturating_sub(self.slots.len());
        self.slots.try_reserve_exact(more).map_err(|_| TryReserveError::AllocError { layout })?;
        let mut old: Vec<Slot<K, V>> = Vec::with_capacity(self.len());
        while let Some(slot) = self.slots.pop() {
            if let Slot::Full(..) = slot {
                old.push(slot);
            }
        }
        self.fill(slots);
        self.items = 0;
        self.used = 0;
        for slot in old {
            if let Slot::Full(hash, key, value) = slot {
                self.place(hash, key, value);
            }
        }
        Ok(())
    }

    /// Drops every element and keeps the room. A panic in a drop leaves an empty table.
    pub(crate) fn clear(&mut self) {
        let slots = self.slots.len();
        self.items = 0;
        self.used = 0;
        self.slots.clear();
        self.fill(slots);
    }

    /// Makes so many empty slots where there is none. A loop without an iterator takes the interpreter half the steps.
    fn fill(&mut self, slots: usize) {
        while self.slots.len() < slots {
            self.slots.push(Slot::Empty);
        }
    }
}
