//! The map under `std::collections::HashMap`.

use core::borrow::Borrow;
use core::hash::{BuildHasher, Hash};
use core::mem;

use super::list::{Allocator, Global};
use super::table::{Slot, Table, TryReserveError};

mod entry;
mod iter;

pub use entry::{RustcEntry, RustcOccupiedEntry, RustcVacantEntry};
pub use iter::{Drain, ExtractIf, IntoIter, Iter, IterMut};

/// A hash map.
#[derive(Clone)]
pub struct HashMap<K, V, S, A: Allocator = Global> {
    hash_builder: S,
    pub(crate) table: Table<K, V, A>,
}

impl<K, V, S> HashMap<K, V, S, Global> {
    pub const fn with_hasher(hash_builder: S) -> Self {
        HashMap {
            hash_builder,
            table: Table::new_in(Global),
        }
    }

    pub fn with_capacity_and_hasher(capacity: usize, hash_builder: S) -> Self {
        Self::with_capacity_and_hasher_in(capacity, hash_builder, Global)
    }
}

impl<K, V, S, A: Allocator> HashMap<K, V, S, A> {
    pub const fn with_hasher_in(hash_builder: S, allocator: A) -> Self {
        HashMap {
            hash_builder,
            table: Table::new_in(allocator),
        }
    }

    pub fn with_capacity_and_hasher_in(capacity: usize, hash_builder: S, allocator: A) -> Self {
        let mut table = Table::new_in(allocator);
        table.reserve(capacity);
        HashMap {
            hash_builder,
            table,
        }
    }

    pub fn hasher(&self) -> &S {
        &self.hash_builder
    }

    pub fn capacity(&self) -> usize {
        self.table.capacity()
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.len() == 0
    }

    pub fn clear(&mut self) {
        self.table.clear();
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.table.slots, self.table.len())
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        let left = self.table.len();
        IterMut::new(&mut self.table.slots, left)
    }

    pub fn drain(&mut self) -> Drain<'_, K, V, A> {
        Drain::new(&mut self.table)
    }

    pub fn extract_if<F: FnMut(&K, &mut V) -> bool>(
        &mut self,
        pred: F,
    ) -> ExtractIf<'_, K, V, F, A> {
        ExtractIf::new(&mut self.table, pred)
    }

    pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, mut keep: F) {
        for at in 0..self.table.slots.len() {
            if let Slot::Full(_, key, value) = &mut self.table.slots[at]
                && !keep(key, value)
            {
                self.table.remove(at);
            }
        }
    }
}

impl<K: Eq + Hash, V, S: BuildHasher, A: Allocator> HashMap<K, V, S, A> {
    pub fn reserve(&mut self, additional: usize) {
        self.table.reserve(additional);
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.table.try_reserve(additional)
    }

    pub fn shrink_to_fit(&mut self) {
        self.table.shrink_to(0);
    }

    pub fn shrink_to(&mut self, min_capacity: usize) {
        self.table.shrink_to(min_capacity);
    }

    /// Where the key is; an empty map hashes nothing.
    pub(crate) fn find<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        if self.table.len() == 0 {
            return None;
        }
        self.table.find(self.hash_builder.hash_one(key), key)
    }

    pub(crate) fn hash<Q: ?Sized + Hash>(&self, key: &Q) -> u64 {
        self.hash_builder.hash_one(key)
    }

    pub fn get<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Some(at) => Some(self.table.entry(at).1),
            None => None,
        }
    }

    pub fn get_key_value<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Some(at) => Some(self.table.entry(at)),
            None => None,
        }
    }

    pub fn contains_key<Q: ?Sized + Hash + Eq>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_some()
    }

    pub fn get_mut<Q: ?Sized + Hash + Eq>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Some(at) => Some(self.table.entry_mut(at).1),
            None => None,
        }
    }

    /// References to the values of different keys at once.
    pub fn get_disjoint_mut<Q: ?Sized + Hash + Eq, const N: usize>(
        &mut self,
        keys: [&Q; N],
    ) -> [Option<&mut V>; N]
    where
        K: Borrow<Q>,
    {
        let found = keys.map(|key| self.find(key));
        for (index, at) in found.iter().enumerate() {
            if at.is_some() && found[..index].contains(at) {
                panic!("duplicate keys found");
            }
        }
        let mut values = [const { None }; N];
        for (at, slot) in self.table.slots.iter_mut().enumerate() {
            if let Slot::Full(_, _, value) = slot
                && let Some(index) = found.iter().position(|found| *found == Some(at))
            {
                values[index] = Some(value);
            }
        }
        values
    }

    /// The same; checked all the same.
    ///
    /// # Safety
    ///
    /// None; unsafe because the real one is.
    #[allow(unsafe_code)]
    pub unsafe fn get_disjoint_unchecked_mut<Q: ?Sized + Hash + Eq, const N: usize>(
        &mut self,
        keys: [&Q; N],
    ) -> [Option<&mut V>; N]
    where
        K: Borrow<Q>,
    {
        self.get_disjoint_mut(keys)
    }

    /// Sets the value of a key and gives the old one; a key that is there stays.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = self.hash_builder.hash_one(&key);
        match self.table.find(hash, &key) {
            Some(at) => Some(mem::replace(self.table.entry_mut(at).1, value)),
            None => {
                self.table.insert(hash, key, value);
                None
            }
        }
    }

    pub fn remove<Q: ?Sized + Hash + Eq>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match self.remove_entry(key) {
            Some((_, value)) => Some(value),
            None => None,
        }
    }

    pub fn remove_entry<Q: ?Sized + Hash + Eq>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key)?;
        self.table.remove(at)
    }

    pub fn rustc_entry(&mut self, key: K) -> RustcEntry<'_, K, V, A> {
        let hash = self.hash_builder.hash_one(&key);
        match self.table.find(hash, &key) {
            Some(at) => RustcEntry::Occupied(RustcOccupiedEntry::new(at, &mut self.table)),
            None => RustcEntry::Vacant(RustcVacantEntry::new(hash, key, &mut self.table)),
        }
    }
}

impl<K, V, S, A: Allocator> IntoIterator for HashMap<K, V, S, A> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V, A>;

    fn into_iter(self) -> IntoIter<K, V, A> {
        IntoIter::new(self.table)
    }
}

impl<K: Eq + Hash, V, S: BuildHasher, A: Allocator> Extend<(K, V)> for HashMap<K, V, S, A> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, iter: I) {
        let iter = iter.into_iter();
        // Keys may repeat: half of what is announced, once there are some.
        let announced = iter.size_hint().0;
        self.reserve(if self.is_empty() {
            announced
        } else {
            announced.div_ceil(2)
        });
        for (key, value) in iter {
            self.insert(key, value);
        }
    }
}

impl<'a, K: Eq + Hash + Copy, V: Copy, S: BuildHasher, A: Allocator> Extend<(&'a K, &'a V)>
    for HashMap<K, V, S, A>
{
    fn extend<I: IntoIterator<Item = (&'a K, &'a V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(*key, *value);
        }
    }
}
