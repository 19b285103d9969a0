//! The set under `std::collections::HashSet`: a map to nothing.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{BuildHasher, Hash};
use core::iter::FusedIterator;
use core::mem;

use super::hash_map::{self, HashMap};
use super::list::{Allocator, Global};
use super::table::{Slot, TryReserveError};

/// A hash set.
#[derive(Clone)]
pub struct HashSet<T, S, A: Allocator = Global> {
    map: HashMap<T, (), S, A>,
}

impl<T, S> HashSet<T, S, Global> {
    pub const fn with_hasher(hasher: S) -> Self {
        HashSet {
            map: HashMap::with_hasher(hasher),
        }
    }

    pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self {
        HashSet {
            map: HashMap::with_capacity_and_hasher(capacity, hasher),
        }
    }
}

impl<T, S, A: Allocator> HashSet<T, S, A> {
    pub const fn with_hasher_in(hasher: S, allocator: A) -> Self {
        HashSet {
            map: HashMap::with_hasher_in(hasher, allocator),
        }
    }

    pub fn with_capacity_and_hasher_in(capacity: usize, hasher: S, allocator: A) -> Self {
        HashSet {
            map: HashMap::with_capacity_and_hasher_in(capacity, hasher, allocator),
        }
    }

    pub fn hasher(&self) -> &S {
        self.map.hasher()
    }

    pub fn capacity(&self) -> usize {
        self.map.capacity()
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn clear(&mut self) {
        self.map.clear();
    }

    pub fn iter(&self) -> Iter<'_, T> {
        Iter {
            map: self.map.iter(),
        }
    }

    pub fn drain(&mut self) -> Drain<'_, T, A> {
        Drain {
            map: self.map.drain(),
        }
    }

    pub fn extract_if<F: FnMut(&T) -> bool>(&mut self, pred: F) -> ExtractIf<'_, T, F, A> {
        ExtractIf {
            set: &mut self.map.table,
            at: 0,
            pred,
        }
    }

    pub fn retain<F: FnMut(&T) -> bool>(&mut self, mut keep: F) {
        self.map.retain(|value, ()| keep(value));
    }
}

impl<T: Eq + Hash, S: BuildHasher, A: Allocator> HashSet<T, S, A> {
    pub fn reserve(&mut self, additional: usize) {
        self.map.reserve(additional);
    }

    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.map.try_reserve(additional)
    }

    pub fn shrink_to_fit(&mut self) {
        self.map.shrink_to_fit();
    }

    pub fn shrink_to(&mut self, min_capacity: usize) {
        self.map.shrink_to(min_capacity);
    }

    pub fn contains<Q: ?Sized + Hash + Eq>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.contains_key(value)
    }

    pub fn get<Q: ?Sized + Hash + Eq>(&self, value: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        match self.map.get_key_value(value) {
            Some((value, ())) => Some(value),
            None => None,
        }
    }

    pub fn get_or_insert(&mut self, value: T) -> &T {
        let hash = self.map.hash(&value);
        let at = match self.map.table.find(hash, &value) {
            Some(at) => at,
            None => self.map.table.insert(hash, value, ()),
        };
        self.map.table.entry(at).0
    }

    pub fn get_or_insert_with<Q: ?Sized + Hash + Eq, F: FnOnce(&Q) -> T>(
        &mut self,
        value: &Q,
        f: F,
    ) -> &T
    where
        T: Borrow<Q>,
    {
        let hash = self.map.hash(value);
        let at = match self.map.table.find(hash, value) {
            Some(at) => at,
            None => {
                let made = f(value);
                assert!(value == made.borrow(), "new value is not equivalent");
                self.map.table.insert(hash, made, ())
            }
        };
        self.map.table.entry(at).0
    }

    pub fn entry(&mut self, value: T) -> Entry<'_, T, S, A> {
        let hash = self.map.hash(&value);
        match self.map.table.find(hash, &value) {
            Some(at) => Entry::Occupied(OccupiedEntry { at, set: self }),
            None => Entry::Vacant(VacantEntry {
                hash,
                value,
                set: self,
            }),
        }
    }

    pub fn insert(&mut self, value: T) -> bool {
        self.map.insert(value, ()).is_none()
    }

    pub fn replace(&mut self, value: T) -> Option<T> {
        let hash = self.map.hash(&value);
        match self.map.table.find(hash, &value) {
            Some(at) => Some(mem::replace(self.map.table.entry_mut(at).0, value)),
            None => {
                self.map.table.insert(hash, value, ());
                None
            }
        }
    }

    pub fn remove<Q: ?Sized + Hash + Eq>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.remove_entry(value).is_some()
    }

    pub fn take<Q: ?Sized + Hash + Eq>(&mut self, value: &Q) -> Option<T>
    where
        T: Borrow<Q>,
    {
        match self.map.remove_entry(value) {
            Some((value, ())) => Some(value),
            None => None,
        }
    }
}

impl<T, S, A: Allocator> IntoIterator for HashSet<T, S, A> {
    type Item = T;
    type IntoIter = IntoIter<T, A>;

    fn into_iter(self) -> IntoIter<T, A> {
        IntoIter {
            map: self.map.into_iter(),
        }
    }
}

impl<T: Eq + Hash, S: BuildHasher, A: Allocator> Extend<T> for HashSet<T, S, A> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        self.map.extend(iter.into_iter().map(|value| (value, ())));
    }
}

/// Over references.
pub struct Iter<'a, T> {
    map: hash_map::Iter<'a, T, ()>,
}

/// Over the values themselves.
pub struct IntoIter<T, A: Allocator = Global> {
    map: hash_map::IntoIter<T, (), A>,
}

/// Over the values, which leave the set.
pub struct Drain<'a, T, A: Allocator = Global> {
    map: hash_map::Drain<'a, T, (), A>,
}

/// Over the values that a predicate picks, which leave the set.
pub struct ExtractIf<'a, T, F, A: Allocator = Global> {
    set: &'a mut super::table::Table<T, (), A>,
    at: usize,
    pred: F,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            map: self.map.clone(),
        }
    }
}

impl<T> Default for Iter<'_, T> {
    fn default() -> Self {
        Iter {
            map: Default::default(),
        }
    }
}

impl<T, A: Allocator + Default> Default for IntoIter<T, A> {
    fn default() -> Self {
        IntoIter {
            map: Default::default(),
        }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        match self.map.next() {
            Some((value, ())) => Some(value),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.map.size_hint()
    }
}

impl<T, A: Allocator> Iterator for IntoIter<T, A> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.map.next() {
            Some((value, ())) => Some(value),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.map.size_hint()
    }
}

impl<T, A: Allocator> Iterator for Drain<'_, T, A> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match self.map.next() {
            Some((value, ())) => Some(value),
            None => None,
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.map.size_hint()
    }
}

impl<T, F: FnMut(&T) -> bool, A: Allocator> Iterator for ExtractIf<'_, T, F, A> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        while self.at < self.set.slots.len() {
            let here = self.at;
            self.at += 1;
            if let Slot::Full(_, value, ()) = &self.set.slots[here]
                && (self.pred)(value)
            {
                return match self.set.remove(here) {
                    Some((value, ())) => Some(value),
                    None => None,
                };
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.set.len()))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T, A: Allocator> ExactSizeIterator for IntoIter<T, A> {}
impl<T, A: Allocator> ExactSizeIterator for Drain<'_, T, A> {}
impl<T> FusedIterator for Iter<'_, T> {}
impl<T, A: Allocator> FusedIterator for IntoIter<T, A> {}
impl<T, A: Allocator> FusedIterator for Drain<'_, T, A> {}

impl<T: fmt::Debug, A: Allocator> fmt::Debug for IntoIter<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.map.rustc_iter().map(|(value, ())| value))
            .finish()
    }
}

impl<T: fmt::Debug, A: Allocator> fmt::Debug for Drain<'_, T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.map.rustc_iter().map(|(value, ())| value))
            .finish()
    }
}

/// The entry of a value.
pub enum Entry<'a, T, S, A: Allocator = Global> {
    /// The value is there.
    Occupied(OccupiedEntry<'a, T, S, A>),
    /// It is not.
    Vacant(VacantEntry<'a, T, S, A>),
}

/// The entry of a value that is there.
pub struct OccupiedEntry<'a, T, S, A: Allocator = Global> {
    at: usize,
    set: &'a mut HashSet<T, S, A>,
}

/// The entry of a value that is not there.
pub struct VacantEntry<'a, T, S, A: Allocator = Global> {
    hash: u64,
    value: T,
    set: &'a mut HashSet<T, S, A>,
}

impl<T, S, A: Allocator> OccupiedEntry<'_, T, S, A> {
    pub fn get(&self) -> &T {
        self.set.map.table.entry(self.at).0
    }

    pub fn remove(self) -> T {
        self.set
            .map
            .table
            .remove(self.at)
            .expect("an occupied entry is there")
            .0
    }
}

impl<'a, T, S, A: Allocator> VacantEntry<'a, T, S, A> {
    pub fn get(&self) -> &T {
        &self.value
    }

    pub fn into_value(self) -> T {
        self.value
    }

    pub fn insert(self) -> OccupiedEntry<'a, T, S, A>
    where
        T: Hash,
        S: BuildHasher,
    {
        let at = self.set.map.table.insert(self.hash, self.value, ());
        OccupiedEntry { at, set: self.set }
    }
}
