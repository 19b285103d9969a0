//! Uninterpreted values: terms, their origins, and decisions of branches on them.
//!
//! A term represents a value that the machine does not know. Terms are built from terms by the operations of the
//! program and hash-consed: the same expression is the same term. A branch on a term is decided once in a run and
//! remembered (decision 6), so the program never sees both `x > 0` and `!(x > 0)`.

mod values;

use self::values::AllFacts;
use crate::ir::{BinOp, CauseId, FnId, Scalar, Site};
use crate::memory::Piece;
use crate::run::Map;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A term of one run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// Marks uninitialised bytes that were copied; it becomes a term when the bytes are read as a value.
    pub const UNINIT: TermId = TermId(u32::MAX);
}

/// The origin of an uninterpreted value; for a composed term, that of its least trustworthy part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// Outside the program: any value is feasible.
    Input,
    /// Memory that was never written.
    Uninit,
    /// Unsupported code.
    Unknown(CauseId),
}

impl Origin {
    /// Its untrustworthiness: the origin without its cause.
    fn kind(self) -> u8 {
        match self {
            Origin::Input => 0,
            Origin::Uninit => 1,
            Origin::Unknown(_) => 2,
        }
    }

    /// Replaces `known` if this origin is less trustworthy.
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

/// The operation of a composed term.
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
    /// Other arithmetic.
    Math(crate::ir::MathOp, Scalar),
    /// An address computation: index times the first number plus the second.
    Address(u64, i64),
    /// A comparison of this many bytes; a known operand is an address.
    Compare(u32),
}

/// Which guesses about *unknown* values deviate from the run's seed: an experiment that shows what depends on them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GuessOverride {
    /// None.
    #[default]
    None,
    /// One of them, counted from 0 in the order of the run.
    One {
        /// Its index.
        index: u32,
        /// The offset of the other choice.
        by: u32,
    },
    /// All of them, by one.
    All,
}

impl GuessOverride {
    /// The offset for a guess.
    fn by(self, guess: u32) -> u32 {
        match self {
            GuessOverride::One { index, by } if index == guess => by,
            GuessOverride::All => 1,
            GuessOverride::One { .. } | GuessOverride::None => 0,
        }
    }
}

/// A source of uninterpreted values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The origin.
    pub origin: Origin,
    /// The function.
    pub func: FnId,
    /// The site in it.
    pub site: Site,
}

/// Maximum number of guesses that are recorded and can be overridden.
pub const MAX_GUESSES: usize = 64;

/// The terms of a run.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<(Node, Origin)>,
    index: FxHashMap<Node, TermId>,
    truth: FxHashMap<TermId, bool>,
    values: FxHashMap<TermId, u128>,
    facts: AllFacts,
    /// Number of uninterpreted values.
    pub count: u64,
    /// The least trustworthy kind of origin that decided a branch; the first of that kind.
    pub rests_on: Option<Origin>,
    /// The same without the guesses that can be overridden.
    pub rests_on_beside: Option<Origin>,
    /// For each recorded guess, the number of ways to continue; at most [`MAX_GUESSES`].
    pub guesses: Vec<u32>,
    guess_override: GuessOverride,
    /// Whether something was chosen at random.
    pub varies: bool,
    /// Whether that was a guess about an unknown value; made-up inputs are known.
    pub guessed: bool,
    /// Number of stores through uninterpreted addresses, which are dropped.
    pub dropped_stores: u64,
    /// Sources, with the number of values of each.
    pub sources: Map<Source, u64>,
}

impl Terms {
    /// An empty set for a run with these overrides.
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

    /// A new value without known properties.
    pub fn fresh(&mut self, origin: Origin, func: FnId, site: Site) -> TermId {
        self.count += 1;
        *self.sources.entry(Source { origin, func, site }).or_default() += 1;
        let serial = self.nodes.len() as u32;
        self.intern(Node::Leaf(serial), origin)
    }

    /// A new value that depends on a term in some unknown way.
    pub fn derived(&mut self, from: TermId) -> TermId {
        let origin = self.origin(from);
        let serial = self.nodes.len() as u32;
        self.intern(Node::Leaf(serial), origin)
    }

    /// The origin of a term.
    pub fn origin(&self, term: TermId) -> Origin {
        self.nodes[term.0 as usize].1
    }

    /// An address as a base address and an offset.
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

    /// The term of a range of `len` bytes with these pieces; `known` are its other bytes.
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

    /// The negation of a boolean.
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
            // An unknown value equals itself.
            let equal = self.intern(Node::Eq(a, a), origin);
            self.truth.insert(equal, true);
            let less = self.intern(Node::Less(ty, a, a), origin);
            self.truth.insert(less, false);
        }
        match op {
            // Zero has two signs, and NaN does not equal itself.
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

    /// Everything from now on depends on a value of this origin.
    pub fn rest_on(&mut self, origin: Origin) {
        origin.outweigh(&mut self.rests_on);
        origin.outweigh(&mut self.rests_on_beside);
    }

    /// The same, and another run may continue differently.
    pub fn choose_for(&mut self, origin: Origin) {
        self.varies = true;
        self.rest_on(origin);
    }

    /// The same for a term, of which something is assumed.
    pub fn take_for_granted(&mut self, term: TermId) {
        self.guessed = true;
        self.choose_for(self.origin(term));
    }

    /// Guesses a branch on a term with several ways: `pick`, unless it is overridden. Other inputs are tried in other
    /// runs; only guesses about *unknown* values are overridden.
    fn guess(&mut self, term: TermId, ways: u32, pick: u32) -> u32 {
        let origin = self.origin(term);
        if origin == Origin::Input {
            self.take_for_granted(term);
            return pick;
        }
        (self.guessed, self.varies) = (true, true);
        origin.outweigh(&mut self.rests_on);
        let by = self.guess_override.by(self.guesses.len() as u32);
        if self.guesses.len() < MAX_GUESSES {
            self.guesses.push(ways);
        }
        (pick + by) % ways
    }

    /// Decides whether a term is true; `random` is called if that is open.
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
        let known = self.known_value(term).map(|value| value != 0).or_else(|| self.forced(term));
        let truth = known.unwrap_or_else(|| {
            let pick = self.pick(term, random);
            let wanted = self.guess(term, 2, u32::from(pick)) == 1;
            self.resolve(term, wanted, random)
        });
        self.truth.insert(term, truth);
        truth
    }

    /// Decides that a term is what it must be, unless it is known to be something else.
    pub fn decide_only(&mut self, term: TermId, wanted: bool, random: &mut dyn FnMut(u32) -> u32) -> bool {
        if let Node::Not(inner) = self.nodes[term.0 as usize].0 {
            return !self.decide_only(inner, !wanted, random);
        }
        let known = self.known_value(term).map(|value| value != 0).or_else(|| self.forced(term));
        let truth = known.unwrap_or_else(|| self.resolve(term, wanted, random));
        self.truth.insert(term, truth);
        truth
    }

    /// Decides which case of a switch a term is: an index into `cases`, or `None` for the default.
    /// Without `has_other` it is one of them.
    pub fn choose(
        &mut self,
        term: TermId,
        cases: &[(u128, u32)],
        has_other: bool,
        random: &mut dyn FnMut(u32) -> u32,
    ) -> Option<usize> {
        let position = |value: u128| cases.iter().position(|case| case.0 == value);
        if self.is_truth(term) {
            let truth = self.decide(term, random);
            return position(u128::from(truth));
        }
        let known = self.known_value(term).filter(|value| has_other || position(*value).is_some());
        if let Some(value) = known {
            return position(value);
        }
        let ways = (cases.len() as u32 + u32::from(has_other)).max(1);
        let pick = self.guess(term, ways, random(ways));
        let wanted = cases.get(pick as usize).map(|case| case.0);
        let is_wanted = |value| wanted.map_or_else(|| position(value).is_none(), |wanted| value == wanted);
        let value = self.resolve_case(term, is_wanted, wanted, random);
        // A value that is no case: the first unused one.
        let other = || wanted.or_else(|| (0..).find(|value| position(*value).is_none())).unwrap_or(u128::MAX);
        let value = value.filter(|value| has_other || position(*value).is_some()).unwrap_or_else(other);
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
            let picked = |terms: &mut Terms, term| terms.choose(term, &[(7, 0), (8, 0)], true, &mut |_| 1);
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
            // Inputs vary between runs.
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
        // It may be NaN.
        let equal = terms.op(OpTag::Bin(BinOp::Eq, Scalar::F64), &[x, x]);
        assert!(!terms.decide(equal, &mut |_| 0));
    }

    #[test]
    fn a_switch_agrees_with_comparisons() {
        let mut terms = Terms::default();
        let x = terms.fresh(Origin::Input, FnId(0), Site(0));
        assert_eq!(terms.choose(x, &[(3, 0), (5, 1)], true, &mut |_| 1), Some(1));
        let five = terms.op(OpTag::Bin(BinOp::Eq, Scalar::U8), &[Operand::Const(5), Operand::Term(x)]);
        let three = terms.op(OpTag::Bin(BinOp::Ne, Scalar::U8), &[Operand::Term(x), Operand::Const(3)]);
        assert!(terms.decide(five, &mut |_| 0));
        assert!(terms.decide(three, &mut |_| 0));
    }
}
