//! Values that agree with the decisions of a run (decision 6).
//!
//! Comparisons of an unknown number with known ones narrow its range. Once it is computed with and the result decides a
//! branch, a value in the range is chosen. So all decisions of a run hold for the same value.

use super::{Node, OpTag, Operand, TermId, Terms};
use crate::arith;
use crate::ir::{BinOp, Scalar};
use crate::memory::Piece;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Maximum depth of terms that are evaluated; deeper ones are decided as a whole.
const DEPTH: u32 = 24;
/// Maximum number of operations of a term that is evaluated.
const OPERATIONS: u32 = 64;
/// Maximum number of unknown numbers for which values are chosen at once.
const LEAVES: usize = 4;
/// How often values are chosen that might lead to a wanted result.
const ATTEMPTS: u32 = 16;
/// Numbers up to here are sizes and counts that programs have.
const PLAUSIBLE: u128 = 1 << 20;
/// One decision in so many is for a number that is not plausible.
const RARE: u32 = 16;
/// Maximum number of values that a number is known not to have.
const EXCLUDED: usize = 64;

/// Chooses a number below a bound.
pub(super) type Random<'a> = &'a mut dyn FnMut(u32) -> u32;

/// Known facts about an unknown number.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    range: Option<Range>,
    excluded: SmallVec<[u128; 4]>,
}

/// A range of numbers of one kind.
#[derive(Clone, Copy, Debug)]
struct Range {
    ty: Scalar,
    /// The least and the greatest number, as keys.
    low: u128,
    high: u128,
}

/// The bits of a number below the width of its kind.
fn low_bits(ty: Scalar, bits: u128) -> u128 {
    bits & (u128::MAX >> (128 - 8 * ty.size()))
}

/// Keys are unsigned and have the order of the kind. The key of a key is the number again.
fn key(ty: Scalar, bits: u128) -> u128 {
    let sign = if ty.is_signed() { 1 << (8 * ty.size() - 1) } else { 0 };
    low_bits(ty, bits) ^ sign
}

impl Range {
    fn full(ty: Scalar) -> Range {
        Range { ty, low: 0, high: low_bits(ty, u128::MAX) }
    }

    fn has(&self, key: u128) -> bool {
        (self.low..=self.high).contains(&key)
    }

    /// The part below a key, and the rest.
    fn split(&self, at: u128) -> [Option<Range>; 2] {
        let below = at.checked_sub(1).map(|high| Range { high: high.min(self.high), ..*self });
        let rest = Range { low: at.max(self.low), ..*self };
        [below, Some(rest)].map(|it| it.filter(|it| it.low <= it.high))
    }

    /// The number in it that is nearest to zero, as a key.
    fn least(&self) -> u128 {
        key(self.ty, 0).clamp(self.low, self.high)
    }

    fn is_plausible(&self) -> bool {
        key(self.ty, 0).abs_diff(self.least()) < PLAUSIBLE
    }
}

/// A comparison of an unknown number with a known one.
struct Order {
    leaf: TermId,
    /// The parts of the number's range where the comparison holds, and where it does not.
    parts: [Option<Range>; 2],
}

impl Terms {
    /// Whether a term is a number of which only decisions tell something.
    fn is_leaf(&self, term: TermId) -> bool {
        self.inputs(term).is_none()
    }

    /// The operands of a term that can be evaluated.
    fn inputs(&self, term: TermId) -> Option<SmallVec<[Operand; 4]>> {
        match &self.nodes[term.0 as usize].0 {
            Node::Leaf(_) => None,
            Node::Not(inner) => Some([Operand::Term(*inner)].into_iter().collect()),
            Node::Eq(a, b) => Some([*a, *b].into_iter().collect()),
            Node::Less(ty, a, b) => (!ty.is_float()).then(|| [*a, *b].into_iter().collect()),
            Node::Op(tag, operands) => match tag {
                OpTag::Bin(_, ty) | OpTag::Flag(_, ty) | OpTag::Un(_, ty) if !ty.is_float() => {
                    Some(operands.iter().copied().collect())
                }
                OpTag::Cast(from, to) if !from.is_float() && !to.is_float() => Some(operands.iter().copied().collect()),
                _ => None,
            },
            Node::Bytes(len, pieces) => {
                let covered: u32 = pieces.iter().map(|piece| piece.len).sum();
                // A part of an unknown number says nothing of the rest.
                let is_part = |piece: &Piece| piece.len < piece.full && !self.values.contains_key(&piece.term);
                let fits = *len <= 16 && covered == *len && pieces.iter().all(|it| it.full <= 16 && !is_part(it));
                fits.then(|| pieces.iter().map(|piece| Operand::Term(piece.term)).collect())
            }
        }
    }

    /// The value of a term, if those of all its parts are known; `assumed` are further values.
    fn value(&self, term: TermId, assumed: &[(TermId, u128)], depth: u32, left: &mut u32) -> Option<u128> {
        if let Some(value) = self.values.get(&term) {
            return Some(*value);
        }
        if let Some(truth) = self.truth.get(&term) {
            return Some(u128::from(*truth));
        }
        if let Some((_, value)) = assumed.iter().find(|it| it.0 == term) {
            return Some(*value);
        }
        let inputs = self.inputs(term)?;
        *left = left.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let mut known = SmallVec::<[u128; 4]>::new();
        for input in inputs {
            known.push(match input {
                Operand::Const(value) => value,
                Operand::Term(input) => self.value(input, assumed, depth, left)?,
            });
        }
        match (&self.nodes[term.0 as usize].0, known.as_slice()) {
            (Node::Not(_), [inner]) => Some(u128::from(*inner == 0)),
            (Node::Eq(..), [a, b]) => Some(u128::from(a == b)),
            (Node::Less(ty, ..), [a, b]) => arith::bin_wide(BinOp::Lt, *ty, *a, *b).ok(),
            (Node::Op(OpTag::Bin(op, ty), _), [a, b]) => {
                let size = arith::result_size(*op, *ty);
                arith::bin_wide(*op, *ty, *a, *b).ok().map(|value| value & (u128::MAX >> (128 - 8 * size)))
            }
            (Node::Op(OpTag::Flag(op, ty), _), [a, b]) => Some(u128::from(arith::overflowing_wide(*op, *ty, *a, *b).1)),
            (Node::Op(OpTag::Un(op, ty), _), [a]) => {
                let bits = 8 * arith::un_size(*op, *ty);
                Some(arith::un(*op, *ty, *a) & (u128::MAX >> (128 - bits)))
            }
            (Node::Op(OpTag::Cast(from, to), _), [a]) => Some(low_bits(*to, arith::cast(*from, *to, *a))),
            (Node::Bytes(_, pieces), values) => {
                let part = |(piece, value): (&Piece, &u128)| {
                    let bits = value.checked_shr(8 * piece.skip)? & (u128::MAX >> (128 - 8 * piece.len));
                    bits.checked_shl(8 * piece.start)
                };
                pieces.iter().zip(values).try_fold(0, |all, it| Some(all | part(it)?))
            }
            _ => None,
        }
    }

    fn value_with(&self, term: TermId, assumed: &[(TermId, u128)]) -> Option<u128> {
        self.value(term, assumed, DEPTH, &mut { OPERATIONS })
    }

    /// The value of a term, if decisions determine it.
    pub(super) fn known_value(&self, term: TermId) -> Option<u128> {
        self.value_with(term, &[])
    }

    /// The unknown numbers in a term; `None` if there are too many.
    fn leaves(&self, term: TermId) -> Option<SmallVec<[TermId; LEAVES]>> {
        let (mut found, mut left) = (SmallVec::<[TermId; LEAVES]>::new(), OPERATIONS);
        let mut rest: SmallVec<[TermId; 8]> = [term].into_iter().collect();
        while let Some(term) = rest.pop() {
            if self.values.contains_key(&term) || self.truth.contains_key(&term) || found.contains(&term) {
                continue;
            }
            left = left.checked_sub(1)?;
            match self.inputs(term) {
                None if found.len() == LEAVES => return None,
                None => found.push(term),
                Some(inputs) => rest.extend(inputs.iter().filter_map(|it| match it {
                    Operand::Term(input) => Some(*input),
                    Operand::Const(_) => None,
                })),
            }
        }
        Some(found)
    }

    /// A value for an unknown number: mostly a small one.
    fn candidate(&self, leaf: TermId, random: Random<'_>) -> u128 {
        let facts = self.facts.get(&leaf);
        let range = facts.and_then(|it| it.range).unwrap_or(Range::full(Scalar::U8));
        let room = range.high - range.least();
        let offset = match random(4) {
            0 => 0,
            1 => u128::from(random(4)),
            2 => u128::from(random(256)),
            _ => u128::from(random(u32::MAX)),
        };
        let excluded = |value: &u128| facts.is_some_and(|it| it.excluded.contains(value));
        let from = range.least() + offset % room.saturating_add(1).max(1);
        let above = (from..=range.high).chain(range.low..from);
        let mut numbers = above.take(EXCLUDED + 1).map(|it| key(range.ty, it));
        let first = key(range.ty, from);
        numbers.find(|it| !excluded(it)).unwrap_or(first)
    }

    fn set_value(&mut self, leaf: TermId, value: u128) {
        self.values.insert(leaf, value);
        self.facts.remove(&leaf);
    }

    /// Chooses values for all unknown numbers in a term; those for which its value is a wanted one, if they are found.
    fn settle_leaves(&mut self, term: TermId, is_wanted: impl Fn(u128) -> bool, random: Random<'_>) -> Option<u128> {
        let leaves = self.leaves(term)?;
        for attempt in 1..=ATTEMPTS {
            let assumed: SmallVec<[(TermId, u128); LEAVES]> =
                leaves.iter().map(|leaf| (*leaf, self.candidate(*leaf, random))).collect();
            // A division by zero has no value.
            let Some(value) = self.value_with(term, &assumed) else { continue };
            if is_wanted(value) || attempt == ATTEMPTS {
                assumed.into_iter().for_each(|(leaf, value)| self.set_value(leaf, value));
                return Some(value);
            }
        }
        None
    }

    /// The comparison that a term is, if it compares an unknown number with a known one.
    fn order(&self, term: TermId) -> Option<Order> {
        let Node::Less(ty, a, b) = self.nodes[term.0 as usize].0 else { return None };
        let (leaf, number, is_left) = match (a, b) {
            (Operand::Term(leaf), Operand::Const(number)) => (leaf, number, true),
            (Operand::Const(number), Operand::Term(leaf)) => (leaf, number, false),
            _ => return None,
        };
        let range = self.facts.get(&leaf).and_then(|it| it.range).unwrap_or(Range::full(ty));
        if ty.is_float() || !self.is_leaf(leaf) || range.ty != ty {
            return None;
        }
        let at = key(ty, number);
        let parts = match is_left {
            true => range.split(at),
            false => {
                let [rest, above] = match at.checked_add(1) {
                    Some(next) => range.split(next),
                    None => [Some(range), None],
                };
                [above, rest]
            }
        };
        Some(Order { leaf, parts })
    }

    /// The truth of a term that decisions determine, without values.
    pub(super) fn forced(&self, term: TermId) -> Option<bool> {
        if let Some(order) = self.order(term) {
            return match order.parts {
                [Some(_), None] => Some(true),
                [None, Some(_)] => Some(false),
                _ => None,
            };
        }
        let Node::Eq(Operand::Term(leaf), Operand::Const(number)) = self.nodes[term.0 as usize].0 else { return None };
        let facts = self.facts.get(&leaf)?;
        let is_outside = facts.range.is_some_and(|range| !range.has(key(range.ty, number)));
        (is_outside || facts.excluded.contains(&number)).then_some(false)
    }

    /// Chooses how an open term is decided: evenly, but rarely for a number that is not plausible.
    pub(super) fn pick(&self, term: TermId, random: Random<'_>) -> bool {
        match self.order(term).map(|it| it.parts.map(|part| part.is_some_and(|it| it.is_plausible()))) {
            Some([true, false]) => random(RARE) != 0,
            Some([false, true]) => random(RARE) == 0,
            _ => random(2) == 1,
        }
    }

    /// Makes an open term true or false, as wanted if that is possible, and returns which.
    pub(super) fn resolve(&mut self, term: TermId, wanted: bool, random: Random<'_>) -> bool {
        if let Some(order) = self.order(term) {
            let [yes, no] = order.parts;
            let (part, truth) = match (yes, no) {
                (Some(yes), None) => (yes, true),
                (None, Some(no)) => (no, false),
                (Some(yes), _) if wanted => (yes, true),
                (_, Some(no)) => (no, false),
                (_, None) => return wanted,
            };
            match part.low == part.high {
                true => self.set_value(order.leaf, key(part.ty, part.low)),
                false => self.facts.entry(order.leaf).or_default().range = Some(part),
            }
            return truth;
        }
        match self.nodes[term.0 as usize].0 {
            Node::Eq(Operand::Term(leaf), Operand::Const(number)) if self.is_leaf(leaf) => {
                match wanted {
                    true => self.set_value(leaf, number),
                    false => {
                        let excluded = &mut self.facts.entry(leaf).or_default().excluded;
                        if excluded.len() < EXCLUDED {
                            excluded.push(number);
                        }
                    }
                }
                wanted
            }
            // Two addresses are equal or not; they have no values.
            Node::Eq(Operand::Term(a), Operand::Term(b)) if self.is_leaf(a) && self.is_leaf(b) => wanted,
            _ if self.is_leaf(term) => wanted,
            _ => self.settle_leaves(term, |value| (value != 0) == wanted, random).map_or(wanted, |value| value != 0),
        }
    }

    /// Makes a term one of some values, or another value than these, as wanted if that is possible; returns its value.
    pub(super) fn resolve_case(
        &mut self,
        term: TermId,
        is_wanted: impl Fn(u128) -> bool,
        wanted: Option<u128>,
        random: Random<'_>,
    ) -> Option<u128> {
        if !self.is_leaf(term) {
            return self.settle_leaves(term, is_wanted, random);
        }
        let facts = self.facts.get(&term);
        let may_be = |value: &u128| {
            let range = facts.and_then(|it| it.range);
            range.is_none_or(|it| it.has(key(it.ty, *value))) && facts.is_none_or(|it| !it.excluded.contains(value))
        };
        let value = wanted.filter(may_be).or_else(|| {
            let range = facts.and_then(|it| it.range).unwrap_or(Range::full(Scalar::U128));
            let mut numbers = (range.least()..=range.high).take(1 << 12).map(|it| key(range.ty, it));
            numbers.find(|value| is_wanted(*value) && may_be(value))
        });
        let value = value.unwrap_or_else(|| self.candidate(term, random));
        self.set_value(term, value);
        Some(value)
    }

    /// An unknown number does not have this value.
    pub fn exclude(&mut self, term: TermId, value: u128) {
        self.facts.entry(term).or_default().excluded.push(value);
    }

    /// Takes it for granted that a term is true, unless decisions say otherwise.
    pub fn assume(&mut self, term: TermId, random: &mut dyn FnMut(u32) -> u32) {
        if self.known_value(term).is_none() && self.forced(term).is_none() {
            self.take_for_granted(term);
            let truth = self.resolve(term, true, random);
            self.truth.insert(term, truth);
        }
    }

    /// A value for a number that is used as a size or an index: `None` if decisions leave it too large.
    pub fn settle(&mut self, term: TermId, random: &mut dyn FnMut(u32) -> u32) -> Option<u128> {
        if let Some(value) = self.known_value(term) {
            return Some(value);
        }
        let is_small = |leaf: &TermId| {
            let range = self.facts.get(leaf).and_then(|it| it.range);
            range.is_some_and(|it| it.high - it.low < PLAUSIBLE)
        };
        if !self.leaves(term)?.iter().all(is_small) {
            return None;
        }
        self.take_for_granted(term);
        self.settle_leaves(term, |_| true, random)
    }
}

/// Known facts, by the term of an unknown number.
pub(super) type AllFacts = FxHashMap<TermId, Facts>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{FnId, Site};
    use crate::term::Origin;

    fn number(terms: &mut Terms) -> Operand {
        Operand::Term(terms.fresh(Origin::Input, FnId(0), Site(0)))
    }

    fn is(terms: &mut Terms, op: BinOp, ty: Scalar, a: Operand, b: u128, random: Random<'_>) -> bool {
        let term = terms.op(OpTag::Bin(op, ty), &[a, Operand::Const(b)]);
        terms.decide(term, random)
    }

    /// Numbers in turn, as a generator of random ones.
    fn in_turn(seed: u32) -> impl FnMut(u32) -> u32 {
        let mut last = seed.wrapping_mul(2_654_435_761);
        move |bound| {
            last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (last >> 8) % bound.max(1)
        }
    }

    #[test]
    fn comparisons_narrow_a_range() {
        for ty in [Scalar::I32, Scalar::U32] {
            for seed in 0..200 {
                let (mut terms, mut random) = (Terms::default(), in_turn(seed));
                let x = number(&mut terms);
                let bounds = [50, 10, 90, 70, 60, 0, 65, 64, 63, 62, 61];
                let below = bounds.map(|bound| is(&mut terms, BinOp::Lt, ty, x, bound, &mut random));
                for (one, is_below) in bounds.iter().zip(below) {
                    let fits = bounds.iter().zip(below).all(|(other, it)| !(is_below && other >= one && !it));
                    assert!(fits, "{seed}: {below:?}");
                }
            }
        }
    }

    /// As for the digits of a number.
    #[test]
    fn what_is_computed_agrees_with_what_was_decided() {
        let mut seen = [false; 4];
        for seed in 0..300 {
            let (mut terms, mut random) = (Terms::default(), in_turn(seed));
            let x = number(&mut terms);
            let ty = Scalar::U32;
            let mut digits = 1;
            let mut rest = x;
            while !is(&mut terms, BinOp::Lt, ty, rest, 10, &mut random) {
                rest = Operand::Term(terms.op(OpTag::Bin(BinOp::Div, ty), &[rest, Operand::Const(10)]));
                digits += 1;
            }
            for (length, least) in [(1, 0), (2, 10), (3, 100)] {
                let is_longer = is(&mut terms, BinOp::Ge, ty, x, least, &mut random);
                assert_eq!(is_longer, digits >= length, "{seed}: {digits} digits");
            }
            let last = Operand::Term(terms.op(OpTag::Bin(BinOp::Rem, ty), &[x, Operand::Const(10)]));
            assert!(is(&mut terms, BinOp::Lt, ty, last, 10, &mut random));
            seen[digits.min(4) - 1] = true;
        }
        assert_eq!(seen, [true; 4]);
    }

    #[test]
    fn numbers_are_mostly_plausible() {
        let huge = (0..1_000).filter(|seed| {
            let (mut terms, mut random) = (Terms::default(), in_turn(*seed));
            let x = number(&mut terms);
            is(&mut terms, BinOp::Gt, Scalar::U64, x, i64::MAX as u128, &mut random)
        });
        assert!((20..150).contains(&huge.count()));
    }

    #[test]
    fn only_small_ranges_are_settled() {
        let (mut terms, mut random) = (Terms::default(), in_turn(1));
        let x = terms.fresh(Origin::Input, FnId(0), Site(0));
        assert_eq!(terms.settle(x, &mut random), None);
        let less = terms.op(OpTag::Bin(BinOp::Lt, Scalar::U64), &[Operand::Term(x), Operand::Const(40)]);
        terms.assume(less, &mut random);
        let value = terms.settle(x, &mut random);
        assert!(value.is_some_and(|it| it < 40), "{value:?}");
        assert_eq!(terms.settle(x, &mut random), value);
    }

    #[test]
    fn excluded_values_are_not_chosen() {
        for seed in 0..50 {
            let (mut terms, mut random) = (Terms::default(), in_turn(seed));
            let x = number(&mut terms);
            let Operand::Term(term) = x else { continue };
            if is(&mut terms, BinOp::Eq, Scalar::U8, x, 0, &mut random) {
                continue;
            }
            let half = Operand::Term(terms.op(OpTag::Bin(BinOp::Div, Scalar::U8), &[x, Operand::Const(2)]));
            let is_one = is(&mut terms, BinOp::Eq, Scalar::U8, half, 0, &mut random);
            let value = terms.known_value(term).unwrap_or_default();
            assert!(value != 0 && (value < 2) == is_one, "{seed}: {value}");
        }
    }
}
