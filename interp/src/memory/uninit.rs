//! The uninitialised bytes of a heap allocation.
//!
//! Tracked while there are any. Most allocations are filled from the front and have one range, whose start moves; a
//! full one has none.

use smallvec::SmallVec;

/// Maximum number of ranges: further holes count as written.
const MAX_RANGES: usize = 256;

/// The uninitialised bytes of an allocation: disjoint ranges in order, each with its end.
#[derive(Clone, Default, Debug)]
pub struct UninitBytes {
    ranges: SmallVec<[(u32, u32); 2]>,
}

impl UninitBytes {
    /// Whether all bytes were written.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Marks a range as written.
    #[inline]
    pub fn write(&mut self, offset: usize, len: usize) {
        let (start, end) = (offset as u32, (offset + len) as u32);
        if let [only] = &mut self.ranges[..]
            && only.0 == start
            && only.1 > end
        {
            only.0 = end;
        } else if !self.ranges.is_empty() {
            self.cut(start, end);
        }
    }

    fn cut(&mut self, start: u32, end: u32) {
        let mut at = self.ranges.partition_point(|range| range.1 <= start);
        while let Some(&(from, to)) = self.ranges.get(at)
            && from < end
        {
            match (from < start, to > end) {
                (true, true) => {
                    self.ranges[at].1 = start;
                    if self.ranges.len() < MAX_RANGES {
                        self.ranges.insert(at + 1, (end, to));
                    }
                    return;
                }
                (true, false) => {
                    self.ranges[at].1 = start;
                    at += 1;
                }
                (false, true) => {
                    self.ranges[at].0 = end;
                    return;
                }
                (false, false) => {
                    self.ranges.remove(at);
                }
            }
        }
    }

    /// Marks a range as uninitialised.
    pub fn forget(&mut self, offset: usize, len: usize) {
        if len == 0 {
            return;
        }
        let (start, end) = (offset as u32, (offset + len) as u32);
        self.cut(start, end);
        let at = self.ranges.partition_point(|range| range.1 <= start);
        if self.ranges.len() < MAX_RANGES {
            self.ranges.insert(at, (start, end));
        }
    }

    /// The uninitialised parts of a range: offsets from the range's start, and lengths.
    pub fn parts(&self, offset: usize, len: usize) -> SmallVec<[(usize, usize); 2]> {
        let (start, end) = (offset as u32, (offset + len) as u32);
        let first = self.ranges.partition_point(|range| range.1 <= start);
        let inside = self.ranges[first..].iter().take_while(|range| range.0 < end);
        inside
            .map(|range| (range.0.max(start), range.1.min(end)))
            .map(|(a, b)| ((a - start) as usize, (b - a) as usize))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_bitmap() {
        let mut rng = crate::rng::Rng::with_stream(7, 1);
        let (mut uninit, mut bitmap) = (UninitBytes::default(), [false; 64]);
        for _ in 0..5000 {
            let start = rng.below(60) as usize;
            let len = rng.below(5) as usize;
            let is_written = rng.below(2) == 0;
            match is_written {
                true => uninit.write(start, len),
                false => uninit.forget(start, len),
            }
            bitmap[start..start + len].fill(!is_written);
            let mut found = [false; 64];
            for (at, len) in uninit.parts(0, 64) {
                found[at..at + len].fill(true);
            }
            assert_eq!(found, bitmap);
        }
    }

    #[test]
    fn filling_from_the_front_leaves_nothing() {
        let mut uninit = UninitBytes::default();
        uninit.forget(0, 32);
        for at in 0..4 {
            assert_eq!(uninit.parts(0, 32)[..], [(at * 8, 32 - at * 8)]);
            uninit.write(at * 8, 8);
        }
        assert!(uninit.is_empty());
    }
}
