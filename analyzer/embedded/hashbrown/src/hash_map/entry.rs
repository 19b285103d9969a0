//! The entry of one key.

use core::mem;

use super::{Allocator, Global, Table};

/// The entry of a key.
pub enum RustcEntry<'a, K, V, A: Allocator = Global> {
    /// The key is there.
    Occupied(RustcOccupiedEntry<'a, K, V, A>),
    /// It is not.
    Vacant(RustcVacantEntry<'a, K, V, A>),
}

/// The entry of a key that is there.
pub struct RustcOccupiedEntry<'a, K, V, A: Allocator = Global> {
    at: usize,
    table: &'a mut Table<K, V, A>,
}

/// The entry of a key that is not there.
pub struct RustcVacantEntry<'a, K, V, A: Allocator = Global> {
    hash: u64,
    key: K,
    table: &'a mut Table<K, V, A>,
}

impl<'a, K, V, A: Allocator> RustcOccupiedEntry<'a, K, V, A> {
    pub(super) fn new(at: usize, table: &'a mut Table<K, V, A>) -> Self {
        RustcOccupiedEntry { at, table }
    }

    pub fn key(&self) -> &K {
        self.table.entry(self.at).0
    }

    pub fn get(&self) -> &V {
        self.table.entry(self.at).1
    }

    pub fn get_mut(&mut self) -> &mut V {
        self.table.entry_mut(self.at).1
    }

    pub fn into_mut(self) -> &'a mut V {
        self.table.entry_mut(self.at).1
    }

    pub fn insert(&mut self, value: V) -> V {
        mem::replace(self.get_mut(), value)
    }

    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    pub fn remove_entry(self) -> (K, V) {
        self.table
            .remove(self.at)
            .expect("an occupied entry is there")
    }
}

impl<'a, K, V, A: Allocator> RustcVacantEntry<'a, K, V, A> {
    pub(super) fn new(hash: u64, key: K, table: &'a mut Table<K, V, A>) -> Self {
        RustcVacantEntry { hash, key, table }
    }

    pub fn key(&self) -> &K {
        &self.key
    }

    pub fn into_key(self) -> K {
        self.key
    }

    pub fn insert(self, value: V) -> &'a mut V {
        self.insert_entry(value).into_mut()
    }

    pub fn insert_entry(self, value: V) -> RustcOccupiedEntry<'a, K, V, A> {
        let at = self.table.insert(self.hash, self.key, value);
        RustcOccupiedEntry {
            at,
            table: self.table,
        }
    }
}
