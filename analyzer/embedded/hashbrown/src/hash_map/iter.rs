//! Iterators over a map, in the order of its slots.

use core::iter::FusedIterator;
use core::slice;

use super::{Allocator, Global, Slot, Table};

/// Over references.
pub struct Iter<'a, K, V> {
    slots: slice::Iter<'a, Slot<K, V>>,
    left: usize,
}

/// Over references to values that may change.
pub struct IterMut<'a, K, V> {
    slots: slice::IterMut<'a, Slot<K, V>>,
    left: usize,
}

/// Over the elements themselves.
pub struct IntoIter<K, V, A: Allocator = Global> {
    table: Table<K, V, A>,
    at: usize,
}

/// Over the elements, which leave the map; all of them do when it is dropped.
pub struct Drain<'a, K, V, A: Allocator = Global> {
    table: &'a mut Table<K, V, A>,
    at: usize,
}

/// Over the elements that a predicate picks, which leave the map.
pub struct ExtractIf<'a, K, V, F, A: Allocator = Global> {
    table: &'a mut Table<K, V, A>,
    at: usize,
    pred: F,
}

impl<'a, K, V> Iter<'a, K, V> {
    pub(super) fn new(slots: &'a [Slot<K, V>], left: usize) -> Self {
        Iter {
            slots: slots.iter(),
            left,
        }
    }
}

impl<'a, K, V> IterMut<'a, K, V> {
    pub(super) fn new(slots: &'a mut [Slot<K, V>], left: usize) -> Self {
        IterMut {
            slots: slots.iter_mut(),
            left,
        }
    }

    pub fn rustc_iter(&self) -> Iter<'_, K, V> {
        Iter::new(self.slots.as_slice(), self.left)
    }
}

impl<K, V, A: Allocator> IntoIter<K, V, A> {
    pub(super) fn new(table: Table<K, V, A>) -> Self {
        IntoIter { table, at: 0 }
    }

    pub fn rustc_iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.table.slots[self.at..], self.table.len())
    }
}

impl<'a, K, V, A: Allocator> Drain<'a, K, V, A> {
    pub(super) fn new(table: &'a mut Table<K, V, A>) -> Self {
        Drain { table, at: 0 }
    }

    pub fn rustc_iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.table.slots[self.at..], self.table.len())
    }
}

impl<'a, K, V, F, A: Allocator> ExtractIf<'a, K, V, F, A> {
    pub(super) fn new(table: &'a mut Table<K, V, A>, pred: F) -> Self {
        ExtractIf { table, at: 0, pred }
    }
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter {
            slots: self.slots.clone(),
            left: self.left,
        }
    }
}

impl<K, V> Default for Iter<'_, K, V> {
    fn default() -> Self {
        Iter {
            slots: Default::default(),
            left: 0,
        }
    }
}

impl<K, V> Default for IterMut<'_, K, V> {
    fn default() -> Self {
        IterMut {
            slots: Default::default(),
            left: 0,
        }
    }
}

impl<K, V, A: Allocator + Default> Default for IntoIter<K, V, A> {
    fn default() -> Self {
        IntoIter::new(Table::new_in(A::default()))
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Slot::Full(_, key, value) = self.slots.next()? {
                self.left -= 1;
                return Some((key, value));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, K, V> Iterator for IterMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Slot::Full(_, key, value) = self.slots.next()? {
                self.left -= 1;
                return Some((key, value));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V, A: Allocator> Iterator for IntoIter<K, V, A> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        take_next(&mut self.table, &mut self.at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.table.len(), Some(self.table.len()))
    }
}

impl<K, V, A: Allocator> Iterator for Drain<'_, K, V, A> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        take_next(self.table, &mut self.at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.table.len(), Some(self.table.len()))
    }
}

/// Takes the next element from `at` on out of the table.
fn take_next<K, V, A: Allocator>(table: &mut Table<K, V, A>, at: &mut usize) -> Option<(K, V)> {
    while *at < table.slots.len() {
        let here = *at;
        *at += 1;
        if let Some(entry) = table.remove(here) {
            return Some(entry);
        }
    }
    None
}

impl<K, V, F: FnMut(&K, &mut V) -> bool, A: Allocator> Iterator for ExtractIf<'_, K, V, F, A> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        while self.at < self.table.slots.len() {
            let here = self.at;
            self.at += 1;
            if let Slot::Full(_, key, value) = &mut self.table.slots[here]
                && (self.pred)(key, value)
            {
                return self.table.remove(here);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.table.len()))
    }
}

impl<K, V, A: Allocator> Drop for Drain<'_, K, V, A> {
    fn drop(&mut self) {
        self.table.clear();
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}
impl<K, V> ExactSizeIterator for IterMut<'_, K, V> {}
impl<K, V, A: Allocator> ExactSizeIterator for IntoIter<K, V, A> {}
impl<K, V, A: Allocator> ExactSizeIterator for Drain<'_, K, V, A> {}
impl<K, V> FusedIterator for Iter<'_, K, V> {}
impl<K, V> FusedIterator for IterMut<'_, K, V> {}
impl<K, V, A: Allocator> FusedIterator for IntoIter<K, V, A> {}
impl<K, V, A: Allocator> FusedIterator for Drain<'_, K, V, A> {}
