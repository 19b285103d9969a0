//! Tables indexed by the host's numbers, which are usually dense, but need not be.

use rustc_hash::FxHashMap;

/// Numbers below this are looked up in a vector.
const DENSE: u32 = 1 << 22;

/// A table by number.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    dense: Vec<Option<T>>,
    sparse: FxHashMap<u32, T>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { dense: Vec::new(), sparse: FxHashMap::default() }
    }
}

impl<T> Table<T> {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        match self.dense.get(number as usize) {
            Some(entry) => entry.as_ref(),
            None if number >= DENSE => self.sparse.get(&number),
            None => None,
        }
    }

    pub(crate) fn insert(&mut self, number: u32, value: T) {
        if number >= DENSE {
            self.sparse.insert(number, value);
            return;
        }
        let index = number as usize;
        while self.dense.len() <= index {
            self.dense.push(None);
        }
        self.dense[index] = Some(value);
    }

    /// The first number in the vector, else any other, whose entry satisfies `wanted`.
    /// All entries with their numbers, in no particular order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, &T)> {
        let dense = self.dense.iter().zip(0..).filter_map(|(value, number)| Some((number, value.as_ref()?)));
        let sparse = self.sparse.iter().map(|(number, value)| (*number, value));
        dense.chain(sparse)
    }

    pub(crate) fn find(&self, mut wanted: impl FnMut(&T) -> bool) -> Option<u32> {
        let dense = self.dense.iter().position(|entry| entry.as_ref().is_some_and(&mut wanted));
        dense.map(|index| index as u32).or_else(|| {
            let found = self.sparse.iter().filter(|(_, value)| wanted(value));
            found.map(|(number, _)| *number).min()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number() {
        let mut table = Table::default();
        for number in [3, u32::MAX, DENSE, 0] {
            assert_eq!(table.get(number), None);
            table.insert(number, number);
            assert_eq!(table.get(number), Some(&number));
        }
        assert_eq!(table.find(|value| *value > DENSE), Some(u32::MAX));
    }
}
