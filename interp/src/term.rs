//! Uninterpreted values: terms, where they come from, and what a branch on one decides.
//!
//! A term is what is left of a value that the machine does not know. Terms are built from terms by the
//! operations of the program and hash-consed, so that the same expression is the same term, and a
//! branch on a term is decided once a run and remembered (decision 6): the program never sees
//! `x > 0` and `!(x > 0)` at once.

use crate::ir::{BinOp, CauseId, FnId, Scalar, Site};
use crate::memory::Piece;
use crate::run::Map;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A term of one run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// Stands in memory for what was copied without having been written; it becomes a term when it is read as a value.
    pub const UNINIT: TermId = TermId(u32::MAX);
}

/// Where an uninterpreted value comes from; of a composed term, its least trustworthy part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The outside world: any value is feasible.
    Input,
    /// Memory that was never written.
    Uninit,
    /// Something that was not understood.
    Unknown(CauseId),
}

impl Origin {
    /// How little it is to be trusted: an origin without its cause.
    fn kind(self) -> u8 {
        match self {
            Origin::Input => 0,
            Origin::Uninit => 1,
            Origin::Unknown(_) => 2,
        }
    }

    /// Takes the place of what is known if it is to be trusted less.
    fn outweigh(self, known: &mut Option<Origin>) {
        if known.is_none_or(|known| known.kind() < self.kind()) {
            *known = Some(self);
        }
    }
}

/// An operand of a composed term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// Uninterpreted.
    Term(TermId),
    /// Known.
    Const(u128),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Leaf(u32),
    Not(TermId),
    Eq(Operand, Operand),
    Less(Scalar, Operand, Operand),
    Op(OpTag, SmallVec<[Operand; 3]>),
    Bytes(u32, SmallVec<[Piece; 4]>),
}

/// What names an operation in a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpTag {
    /// A binary operator.
    Bin(BinOp, Scalar),
    /// The overflow flag of a binary operator.
    Flag(BinOp, Scalar),
    /// A unary operator.
    Un(crate::ir::UnOp, Scalar),
    /// A cast.
    Cast(Scalar, Scalar),
    /// A further arithmetic operation.
    Math(crate::ir::MathOp, Scalar),
    /// An address computation: index times this plus this.
    Address(u64, i64),
    /// A comparison of this many bytes; a known operand is an address.
    Compare(u32),
}

/// Which guesses of a run about what was not understood are made otherwise than its seed has it: an experiment that tells
/// what depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GuessOverride {
    /// None.
    #[default]
    None,
    /// One of them, counted from 0 in the order in which the run makes them.
    One {
        /// Which.
        index: u32,
        /// How many ways further on.
        by: u32,
    },
    /// All of them, by one way.
    All,
}

impl GuessOverride {
    /// By how many ways a guess is made otherwise.
    fn by(self, guess: u32) -> u32 {
        match self {
            GuessOverride::One { index, by } if index == guess => by,
            GuessOverride::All => 1,
            GuessOverride::One { .. } | GuessOverride::None => 0,
        }
    }
}

/// Where uninterpreted values of a run come up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// Where from.
    pub origin: Origin,
    /// The function in which it came up.
    pub func: FnId,
    /// The place in it.
    pub site: Site,
}

/// Guesses of a run that are kept, and can be made otherwise.
pub const MOST_GUESSES: usize = 64;

/// The terms of a run.
#[derive(Debug, Default)]
pub struct Terms {
    nodes: Vec<(Node, Origin)>,
    index: FxHashMap<Node, TermId>,
    truth: FxHashMap<TermId, bool>,
    values: FxHashMap<TermId, u128>,
    /// How many values came from outside or were not understood.
    pub count: u64,
    /// The least trustworthy kind of origin of what was decided, the first one of it.
    pub rests_on: Option<Origin>,
    /// The same without the guesses that can be made otherwise.
    pub rests_on_beside: Option<Origin>,
    /// Of each guess that can be made otherwise, how many ways there were to go on; of the first [`MOST_GUESSES`].
    pub guesses: Vec<u32>,
    guess_override: GuessOverride,
    /// Whether something was left to chance.
    pub varies: bool,
    /// Whether that was what to make of a value that is not known; an input that was made up is one.
    pub guessed: bool,
    /// How many stores through uninterpreted addresses were dropped.
    pub dropped_stores: u64,
    /// Where, with how many at each.
    pub sources: Map<Source, u64>,
}

impl Terms {
    /// None yet, in a run that makes some guesses otherwise.
    pub fn new(guess_override: GuessOverride) -> Terms {
        Terms { guess_override, ..Terms::default() }
    }

    fn intern(&mut self, node: Node, origin: Origin) -> TermId {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = TermId(self.nodes.len() as u32);
        self.nodes.push((node.clone(), origin));
        self.index.insert(node, id);
        id
    }

    /// A new value of which nothing is known.
    pub fn fresh(&mut self, origin: Origin, func: FnId, site: Site) -> TermId {
        self.count += 1;
        *self.sources.entry(Source { origin, func, site }).or_default() += 1;
        let serial = self.nodes.len() as u32;
        self.intern(Node::Leaf(serial), origin)
    }

    /// A new value that depends on a term in a way that is not followed.
    pub fn derived(&mut self, from: TermId) -> TermId {
        let origin = self.origin(from);
        let serial = self.nodes.len() as u32;
        self.intern(Node::Leaf(serial), origin)
    }

    /// Where a term comes from.
    pub fn origin(&self, term: TermId) -> Origin {
        self.nodes[term.0 as usize].1
    }

    /// An address as another one, and the bytes from there to it.
    pub fn address(&self, term: TermId) -> (TermId, u64) {
        let (mut base, mut offset) = (term, 0u64);
        while let Node::Op(OpTag::Address(stride, added), operands) = &self.nodes[base.0 as usize].0 {
            let index = match operands[..] {
                [Operand::Term(_)] => 0,
                [Operand::Term(_), Operand::Const(index)] => index as u64,
                _ => break,
            };
            let Operand::Term(before) = operands[0] else { break };
            base = before;
            offset = offset.wrapping_add(index.wrapping_mul(*stride)).wrapping_add_signed(*added);
        }
        (base, offset)
    }

    fn origin_of(&self, operands: &[Operand]) -> Origin {
        let origins = operands.iter().filter_map(|operand| match operand {
            Operand::Term(term) => Some(self.origin(*term)),
            Operand::Const(_) => None,
        });
        origins.max().unwrap_or(Origin::Input)
    }

    /// The term that the pieces of a range of `len` bytes make up; `known` are its other bytes.
    pub fn bytes(&mut self, len: u32, pieces: &[Piece]) -> Option<TermId> {
        match pieces {
            [] => None,
            [one] if one.start == 0 && one.len == len && one.skip == 0 && one.full == len => Some(one.term),
            _ => {
                let operands: SmallVec<[Operand; 4]> = pieces.iter().map(|p| Operand::Term(p.term)).collect();
                let origin = self.origin_of(&operands);
                Some(self.intern(Node::Bytes(len, pieces.into()), origin))
            }
        }
    }

    /// The negation of a truth value.
    pub fn not(&mut self, term: TermId) -> TermId {
        let origin = self.origin(term);
        match self.nodes[term.0 as usize].0 {
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(term), origin),
        }
    }

    /// The result of an operation with at least one uninterpreted operand.
    pub fn op(&mut self, tag: OpTag, operands: &[Operand]) -> TermId {
        let origin = self.origin_of(operands);
        let (OpTag::Bin(op, ty), [a, b]) = (tag, operands) else {
            return self.intern(Node::Op(tag, operands.into()), origin);
        };
        let (a, b) = (*a, *b);
        let negate = |terms: &mut Terms, node| {
            let term = terms.intern(node, origin);
            terms.not(term)
        };
        if a == b && !ty.is_float() {
            // What is not known is itself all the same.
            let equal = self.intern(Node::Eq(a, a), origin);
            self.truth.insert(equal, true);
            let less = self.intern(Node::Less(ty, a, a), origin);
            self.truth.insert(less, false);
        }
        match op {
            // Zero has two signs, and what is no number is not even itself.
            BinOp::Eq | BinOp::Ne if ty.is_float() => {
                let equal = Node::Op(OpTag::Bin(BinOp::Eq, ty), [a.min(b), a.max(b)].into_iter().collect());
                if op == BinOp::Eq { self.intern(equal, origin) } else { negate(self, equal) }
            }
            BinOp::Eq => self.intern(Node::Eq(a.min(b), a.max(b)), origin),
            BinOp::Ne => negate(self, Node::Eq(a.min(b), a.max(b))),
            BinOp::Lt => self.intern(Node::Less(ty, a, b), origin),
            BinOp::Gt => self.intern(Node::Less(ty, b, a), origin),
            BinOp::Ge => negate(self, Node::Less(ty, a, b)),
            BinOp::Le => negate(self, Node::Less(ty, b, a)),
            BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => {
                self.intern(Node::Op(tag, [a.min(b), a.max(b)].into_iter().collect()), origin)
            }
            _ => self.intern(Node::Op(tag, operands.into()), origin),
        }
    }

    fn is_truth(&self, term: TermId) -> bool {
        let node = &self.nodes[term.0 as usize].0;
        matches!(node, Node::Not(_) | Node::Eq(..) | Node::Less(..) | Node::Op(OpTag::Bin(BinOp::Eq, _), _))
    }

    /// What comes from now on rests on something of this origin.
    pub fn rest_on(&mut self, origin: Origin) {
        origin.outweigh(&mut self.rests_on);
        origin.outweigh(&mut self.rests_on_beside);
    }

    /// The same, and another run may go on differently.
    pub fn choose_for(&mut self, origin: Origin) {
        self.varies = true;
        self.rest_on(origin);
    }

    /// The same of a term, of which something is taken for granted.
    pub fn take_for_granted(&mut self, term: TermId) {
        self.guessed = true;
        self.choose_for(self.origin(term));
    }

    /// A branch on a term that may go any of some ways: the one picked, unless it is to be made otherwise. Inputs are
    /// given by runs of their own; only what was not understood is tried otherwise.
    fn guess(&mut self, term: TermId, ways: u32, pick: u32) -> u32 {
        let origin = self.origin(term);
        if origin == Origin::Input {
            self.take_for_granted(term);
            return pick;
        }
        (self.guessed, self.varies) = (true, true);
        origin.outweigh(&mut self.rests_on);
        let by = self.guess_override.by(self.guesses.len() as u32);
        if self.guesses.len() < MOST_GUESSES {
            self.guesses.push(ways);
        }
        (pick + by) % ways
    }

    /// Whether a term is true; `random` is asked when that is open.
    pub fn decide(&mut self, term: TermId, random: &mut dyn FnMut(u32) -> u32) -> bool {
        if let Some(&value) = self.values.get(&term) {
            return value != 0;
        }
        if let Node::Not(inner) = self.nodes[term.0 as usize].0 {
            return !self.decide(inner, random);
        }
        if let Some(&truth) = self.truth.get(&term) {
            return truth;
        }
        let truth = match self.nodes[term.0 as usize].0 {
            Node::Eq(Operand::Term(of), Operand::Const(value)) => match self.values.get(&of) {
                Some(&known) => known == value,
                None => {
                    let truth = self.guess(term, 2, random(2)) == 1;
                    if truth {
                        self.values.insert(of, value);
                    }
                    truth
                }
            },
            _ => self.guess(term, 2, random(2)) == 1,
        };
        self.truth.insert(term, truth);
        truth
    }

    /// Which case of a switch a term is: an index into `cases`, or `None` for the default.
    pub fn choose(&mut self, term: TermId, cases: &[(u128, u32)], random: &mut dyn FnMut(u32) -> u32) -> Option<usize> {
        let position = |value: u128| cases.iter().position(|case| case.0 == value);
        if self.is_truth(term) {
            let truth = self.decide(term, random);
            return position(u128::from(truth));
        }
        if let Some(&value) = self.values.get(&term) {
            return position(value);
        }
        let ways = cases.len() as u32 + 1;
        let pick = self.guess(term, ways, random(ways));
        let value = match cases.get(pick as usize) {
            Some(case) => case.0,
            // A value that is no case: the first that is free.
            None => (0..).find(|value| position(*value).is_none()).unwrap_or(u128::MAX),
        };
        self.values.insert(term, value);
        position(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_normal() {
        let mut terms = Terms::default();
        let x = Operand::Term(terms.fresh(Origin::Input, FnId(0), Site(0)));
        let zero = Operand::Const(0);
        let more = terms.op(OpTag::Bin(BinOp::Gt, Scalar::I32), &[x, zero]);
        let at_most = terms.op(OpTag::Bin(BinOp::Le, Scalar::I32), &[x, zero]);
        assert_eq!(terms.not(at_most), more);
        assert_eq!(terms.op(OpTag::Bin(BinOp::Lt, Scalar::I32), &[zero, x]), more);
        let truth = terms.decide(more, &mut |_| 1);
        assert_eq!(terms.decide(at_most, &mut |_| 1), !truth);
    }

    #[test]
    fn guesses_are_made_otherwise() {
        let guessed = |guess_override, origin| {
            let mut terms = Terms::new(guess_override);
            let terms_of: Vec<TermId> = (0..2).map(|_| terms.fresh(origin, FnId(0), Site(0))).collect();
            let picked = |terms: &mut Terms, term| terms.choose(term, &[(7, 0), (8, 0)], &mut |_| 1);
            (
                terms_of.iter().map(|term| picked(&mut terms, *term)).collect::<Vec<_>>(),
                terms.guesses,
                terms.rests_on_beside,
            )
        };
        let unknown = Origin::Unknown(crate::ir::CauseId(0));
        let plain = [Some(1), Some(1)];
        let cases = [
            (GuessOverride::None, plain),
            (GuessOverride::One { index: 0, by: 1 }, [None, Some(1)]),
            (GuessOverride::One { index: 1, by: 2 }, [Some(1), Some(0)]),
            (GuessOverride::One { index: 2, by: 1 }, plain),
            (GuessOverride::All, [None, None]),
        ];
        for (guess_override, expected) in cases {
            assert_eq!(guessed(guess_override, unknown), (expected.to_vec(), vec![3, 3], None), "{guess_override:?}");
            // Runs of their own give inputs.
            assert_eq!(guessed(guess_override, Origin::Input), (plain.to_vec(), Vec::new(), Some(Origin::Input)));
        }
    }

    #[test]
    fn a_value_is_itself() {
        let mut terms = Terms::default();
        let x = Operand::Term(terms.fresh(Origin::Input, FnId(0), Site(0)));
        for (op, ty, truth) in
            [(BinOp::Eq, Scalar::U8, true), (BinOp::Ne, Scalar::U8, false), (BinOp::Gt, Scalar::I8, false)]
        {
            let term = terms.op(OpTag::Bin(op, ty), &[x, x]);
            assert_eq!(terms.decide(term, &mut |_| panic!("nothing is open")), truth);
        }
        assert!(!terms.guessed);
        // It may be no number.
        let equal = terms.op(OpTag::Bin(BinOp::Eq, Scalar::F64), &[x, x]);
        assert!(!terms.decide(equal, &mut |_| 0));
    }

    #[test]
    fn a_switch_agrees_with_comparisons() {
        let mut terms = Terms::default();
        let x = terms.fresh(Origin::Input, FnId(0), Site(0));
        assert_eq!(terms.choose(x, &[(3, 0), (5, 1)], &mut |_| 1), Some(1));
        let five = terms.op(OpTag::Bin(BinOp::Eq, Scalar::U8), &[Operand::Const(5), Operand::Term(x)]);
        let three = terms.op(OpTag::Bin(BinOp::Ne, Scalar::U8), &[Operand::Term(x), Operand::Const(3)]);
        assert!(terms.decide(five, &mut |_| 0));
        assert!(terms.decide(three, &mut |_| 0));
    }
}
