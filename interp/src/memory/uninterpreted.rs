//! The uninterpreted bytes of an allocation, and their terms.

use crate::term::TermId;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A range of uninterpreted bytes: `len` bytes of `term`, from its byte `skip` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its offset.
    pub start: u32,
    /// Its length.
    pub len: u32,
    /// The first byte of the term.
    pub skip: u32,
    /// Size of the whole term.
    pub full: u32,
    /// The term.
    pub term: TermId,
}

impl Piece {
    fn end(&self) -> u32 {
        self.start + self.len
    }

    fn clip(&self, start: u32, end: u32) -> Option<Piece> {
        let from = self.start.max(start);
        let to = self.end().min(end);
        (from < to).then(|| Piece { start: from, len: to - from, skip: self.skip + (from - self.start), ..*self })
    }
}

/// The uninterpreted bytes of an allocation: disjoint pieces by offset.
#[derive(Clone, Default, Hash, Debug)]
pub struct UninterpretedBytes {
    pieces: BTreeMap<u32, Piece>,
}

impl UninterpretedBytes {
    /// Whether all bytes are known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn overlapping(&self, start: u32, end: u32) -> SmallVec<[Piece; 4]> {
        let mut found = SmallVec::new();
        if let Some((_, before)) = self.pieces.range(..start).next_back()
            && before.end() > start
        {
            found.push(*before);
        }
        found.extend(self.pieces.range(start..end).map(|(_, piece)| *piece));
        found
    }

    /// Whether a byte of the range is uninterpreted.
    pub fn touches(&self, offset: usize, len: usize) -> bool {
        !self.pieces.is_empty() && !self.overlapping(offset as u32, (offset + len) as u32).is_empty()
    }

    /// The pieces in a range; their `start` is relative to the range.
    pub fn pieces(&self, offset: usize, len: usize) -> SmallVec<[Piece; 4]> {
        if self.pieces.is_empty() {
            return SmallVec::new();
        }
        let (start, end) = (offset as u32, (offset + len) as u32);
        let clipped = self.overlapping(start, end).into_iter().filter_map(|piece| piece.clip(start, end));
        clipped.map(|piece| Piece { start: piece.start - start, ..piece }).collect()
    }

    /// Marks a range as known.
    pub fn clear(&mut self, offset: usize, len: usize) {
        if self.pieces.is_empty() || len == 0 {
            return;
        }
        let (start, end) = (offset as u32, (offset + len) as u32);
        for piece in self.overlapping(start, end) {
            self.pieces.remove(&piece.start);
            for rest in [piece.clip(0, start), piece.clip(end, u32::MAX)].into_iter().flatten() {
                self.pieces.insert(rest.start, rest);
            }
        }
    }

    /// Marks the bytes of a piece as uninterpreted; they must be known before.
    pub fn insert(&mut self, piece: Piece) {
        if piece.len > 0 {
            self.pieces.insert(piece.start, piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_splits() {
        let mut map = UninterpretedBytes::default();
        map.insert(Piece { start: 8, len: 8, skip: 0, full: 8, term: TermId(1) });
        map.clear(10, 2);
        let pieces = map.pieces(8, 8);
        assert_eq!(pieces.len(), 2);
        assert_eq!((pieces[0].start, pieces[0].len, pieces[0].skip), (0, 2, 0));
        assert_eq!((pieces[1].start, pieces[1].len, pieces[1].skip), (4, 4, 4));
        map.clear(0, 100);
        assert!(map.is_empty());
    }
}
