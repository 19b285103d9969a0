//! Decisions about uninterpreted values (decision 6).

use crate::ir::{BinOp, Instr, Scalar, Slot};
use crate::machine::Machine;
use crate::term::{OpTag, Origin, TermId};

/// How many instructions are looked at.
const FEW: usize = 8;

/// Whether code comes to an unreachable instruction before it does anything else.
fn is_unreachable(instrs: &[Instr], mut at: u32) -> bool {
    for _ in 0..FEW {
        match instrs.get(at as usize) {
            Some(Instr::Unreachable) => return true,
            Some(Instr::Jump { to }) => at = *to,
            Some(Instr::Enter { .. } | Instr::Const { .. } | Instr::StorageDead { .. }) => at += 1,
            _ => return false,
        }
    }
    false
}

impl Machine<'_> {
    /// Gives an input in a slot a value if decisions leave few; whether the slot has a known value then.
    pub(crate) fn settle(&mut self, slot: Slot, size: u32) -> bool {
        let Some(term) = self.term(slot, size) else { return true };
        if self.terms.origin(term) != Origin::Input {
            return false;
        }
        let rng = &mut self.rng;
        let Some(value) = self.terms.settle(term, &mut |bound| rng.below(bound)) else { return false };
        let (index, offset) = self.slot(slot);
        self.memory.clear_uninterpreted(index, offset, size as usize);
        self.memory.put_wide(index, offset, size, value);
        true
    }

    /// An index is in bounds, as far as it is an input.
    pub(super) fn assume_in_bounds(&mut self, index: Slot, len: Slot) {
        let operands = [self.operand(index, 8), self.operand(len, 8)];
        let term = self.terms.op(OpTag::Bin(BinOp::Lt, Scalar::U64), &operands);
        if self.terms.origin(term) == Origin::Input {
            let rng = &mut self.rng;
            self.terms.assume(term, &mut |bound| rng.below(bound));
        }
    }

    /// Whether code comes to an unreachable instruction at once, also in an inlined call, or calls a function that does.
    pub(super) fn leads_nowhere(&mut self, instrs: &[Instr], at: u32) -> bool {
        match instrs.get(at as usize) {
            Some(Instr::Call { func, .. }) => is_unreachable(&self.code(*func).code.instrs, 0),
            _ => is_unreachable(instrs, at),
        }
    }

    pub(super) fn decide_only(&mut self, term: TermId, wanted: bool) -> bool {
        let rng = &mut self.rng;
        self.terms.decide_only(term, wanted, &mut |bound| rng.below(bound))
    }

    pub(super) fn decide(&mut self, term: TermId) -> bool {
        let rng = &mut self.rng;
        self.terms.decide(term, &mut |bound| rng.below(bound))
    }
}
