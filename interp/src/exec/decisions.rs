//! Decisions about uninterpreted values (decision 6).

use crate::ir::{BinOp, Instr, Scalar, Slot};
use crate::machine::Machine;
use crate::term::{OpTag, Origin, TermId};

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

    /// Whether an instruction is unreachable, or calls a function that only says so.
    pub(super) fn leads_nowhere(&mut self, instrs: &[Instr], at: u32) -> bool {
        let is_unreachable = |instr: Option<&Instr>| matches!(instr, Some(Instr::Unreachable));
        match instrs.get(at as usize) {
            Some(Instr::Call { func, .. }) => is_unreachable(self.code(*func).code.instrs.first()),
            first => is_unreachable(first),
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
