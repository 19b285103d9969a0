//! Instructions on uninterpreted values (decision 6): operations yield terms, branches are guessed, accesses through
//! unknown addresses are dropped. Used once a run has its first uninterpreted value.

use crate::arith;
use crate::ir::{BinOp, CauseId, Instr, Scalar, Slot, UnOp};
use crate::machine::{Flow, Machine, Step, Stop};
use crate::memory::{Memory, Piece};
use crate::term::{OpTag, Operand, Origin, TermId};
use smallvec::SmallVec;

type Handled = Result<Option<Flow>, Stop>;

const DONE: Handled = Ok(Some(Flow::Next));

impl Machine<'_> {
    /// The term of a range of memory, if any of its bytes is uninterpreted.
    pub(crate) fn term_at(&mut self, (index, offset): (usize, usize), size: u32) -> Option<TermId> {
        self.name_uninit((index, offset), size as usize);
        let uninterpreted = &self.memory.alloc(index).uninterpreted;
        if uninterpreted.is_empty() {
            return None;
        }
        let pieces = uninterpreted.pieces(offset, size as usize);
        self.terms.bytes(size, &pieces)
    }

    /// Uninitialised memory that is read as a value becomes a term, the same at each read.
    pub(crate) fn name_uninit(&mut self, (index, offset): (usize, usize), size: usize) {
        let alloc = self.memory.alloc(index);
        if alloc.uninterpreted.is_empty() && alloc.uninit.is_empty() {
            return;
        }
        let mut parts = alloc.uninit.parts(offset, size);
        let pieces = alloc.uninterpreted.pieces(offset, size);
        let copied = pieces.iter().filter(|piece| piece.term == TermId::UNINIT);
        parts.extend(copied.map(|piece| (piece.start as usize, piece.len as usize)));
        for (start, len) in parts {
            self.save_pc();
            let (func, site) = self.here();
            let term = self.terms.fresh(Origin::Uninit, func, site);
            self.set_term_at((index, offset + start), len as u32, term);
        }
    }

    /// Like `term`, for an argument of a model: uninitialised bytes of a larger one may be padding.
    pub(crate) fn argument_term(&mut self, slot: Slot, size: u32) -> Option<TermId> {
        let (index, offset) = self.slot(slot);
        let pieces = self.memory.alloc(index).uninterpreted.pieces(offset, size as usize);
        if size > 8 && pieces.iter().all(|piece| piece.term == TermId::UNINIT) {
            return None;
        }
        self.term(slot, size)
    }

    /// Whether a comparison or an atomic accesses uninitialised memory.
    fn meets_uninit(&self, addr: u64, len: u64) -> bool {
        let (_, offset) = Memory::split(addr);
        let alloc = self.memory.find(addr);
        alloc.is_some_and(|it| !it.uninit.is_empty() && !it.uninit.parts(offset, len as usize).is_empty())
    }

    /// Whether an instruction reads uninitialised values directly from the heap and so needs this module. Other
    /// instructions read copies of them in slots.
    #[inline]
    pub(crate) fn reads_uninit(&self, instr: &Instr) -> bool {
        match *instr {
            Instr::CompareBytes { a, b, len, .. } => {
                let len = self.read(len, 8).min(crate::memory::MAX_ALLOCATION);
                self.meets_uninit(self.read(a, 8), len) || self.meets_uninit(self.read(b, 8), len)
            }
            Instr::AtomicLoad { ptr, size, .. }
            | Instr::AtomicRmw { ptr, size, .. }
            | Instr::AtomicCas { ptr, size, .. } => self.meets_uninit(self.read(ptr, 8), u64::from(size)),
            _ => false,
        }
    }

    pub(crate) fn term(&mut self, slot: Slot, size: u32) -> Option<TermId> {
        self.term_at(self.slot(slot), size)
    }

    pub(super) fn operand(&mut self, slot: Slot, size: u32) -> Operand {
        match self.term(slot, size) {
            Some(term) => Operand::Term(term),
            None => Operand::Const(self.read_wide(slot, size.min(16))),
        }
    }

    /// Sets a range of memory to a term; its bytes are zero.
    pub(crate) fn set_term_at(&mut self, (index, offset): (usize, usize), size: u32, term: TermId) {
        if size == 0 {
            return;
        }
        self.memory.has_uninterpreted = true;
        self.memory.bytes_mut(index, offset, size as usize).fill(0);
        let alloc = self.memory.alloc_mut(index);
        alloc.uninit.write(offset, size as usize);
        let uninterpreted = &mut alloc.uninterpreted;
        uninterpreted.clear(offset, size as usize);
        uninterpreted.insert(Piece { start: offset as u32, len: size, skip: 0, full: size, term });
    }

    pub(crate) fn set_term(&mut self, slot: Slot, size: u32, term: TermId) {
        self.set_term_at(self.slot(slot), size, term);
    }

    fn clear(&mut self, slot: Slot, size: u32) -> Handled {
        let (index, offset) = self.slot(slot);
        self.memory.clear_uninterpreted(index, offset, size as usize);
        Ok(None)
    }

    /// Sets a slot to a value of origin `Unknown(cause)`.
    pub(crate) fn unknown_value(&mut self, dst: Slot, size: u32, cause: CauseId) {
        self.fresh_value(dst, size, Origin::Unknown(cause));
    }

    /// Sets a slot to a new unknown value.
    pub(crate) fn fresh_value(&mut self, dst: Slot, size: u32, origin: Origin) {
        self.save_pc();
        let (func, site) = self.here();
        let term = self.terms.fresh(origin, func, site);
        self.set_term(dst, size, term);
    }

    /// Sets a slot to an unknown value that depends on a term.
    pub(crate) fn derived(&mut self, dst: Slot, size: u32, from: TermId) {
        let term = self.terms.derived(from);
        self.set_term(dst, size, term);
    }

    fn operation(&mut self, tag: OpTag, dst: Slot, size: u32, operands: &[Operand]) -> Handled {
        if operands.iter().all(|operand| matches!(operand, Operand::Const(_))) {
            return self.clear(dst, size);
        }
        let term = self.terms.op(tag, operands);
        self.set_term(dst, size, term);
        DONE
    }

    /// Executes an instruction on uninterpreted values; `None` if it has none, and then the state of its destination is
    /// up to date.
    #[inline(never)]
    pub(crate) fn step_uninterpreted(&mut self, instr: &Instr, instrs: &[Instr]) -> Handled {
        match *instr {
            Instr::Const { dst, size, .. } => self.clear(dst, u32::from(size)),
            Instr::Zero { dst, size } => self.clear(dst, size),
            Instr::AddrOf { dst, .. }
            | Instr::GlobalAddr { dst, .. }
            | Instr::DataAddr { dst, .. }
            | Instr::FnAddr { dst, .. }
            | Instr::VtableAddr { dst, .. }
            | Instr::CallerLocation { dst }
            | Instr::Here { dst } => self.clear(dst, 8),
            Instr::Bin { op, ty, dst, a, b } => {
                let right = if matches!(op, BinOp::Shl | BinOp::Shr) { 4 } else { ty.size() };
                self.binary_term(op, ty, right, dst, a, b)
            }
            Instr::Checked { op, ty, rhs, dst, a, b } => {
                let right = if matches!(op, BinOp::Shl | BinOp::Shr) { rhs.size() } else { ty.size() };
                self.binary_term(op, ty, right, dst, a, b)
            }
            Instr::BinImm { op, ty, dst, a, imm } | Instr::CheckedImm { op, ty, dst, a, imm } => {
                let bits = ty.size() * 8;
                let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
                let operands = [self.operand(a, ty.size()), Operand::Const(i128::from(imm) as u128 & mask)];
                self.operation(OpTag::Bin(op, ty), dst, arith::result_size(op, ty), &operands)
            }
            Instr::Overflowing { op, ty, dst, flag, a, b } => {
                let operands = [self.operand(a, ty.size()), self.operand(b, ty.size())];
                self.operation(OpTag::Flag(op, ty), flag, 1, &operands)?;
                self.operation(OpTag::Bin(op, ty), dst, ty.size(), &operands)
            }
            Instr::Un { op, ty, dst, a } => match (op, self.term(a, ty.size())) {
                (UnOp::NotBool, Some(term)) => {
                    let term = self.terms.not(term);
                    self.set_term(dst, 1, term);
                    DONE
                }
                _ => {
                    let operands = [self.operand(a, ty.size())];
                    self.operation(OpTag::Un(op, ty), dst, arith::un_size(op, ty), &operands)
                }
            },
            Instr::CheckedNeg { ty, dst, a } => {
                let operands = [self.operand(a, ty.size())];
                self.operation(OpTag::Un(UnOp::Neg, ty), dst, ty.size(), &operands)
            }
            Instr::Cast { from, to, dst, a } => match self.term(a, from.size()) {
                Some(term) if from.size() == to.size() && from.is_float() == to.is_float() => {
                    self.set_term(dst, to.size(), term);
                    DONE
                }
                _ => {
                    let operands = [self.operand(a, from.size())];
                    self.operation(OpTag::Cast(from, to), dst, to.size(), &operands)
                }
            },
            Instr::Math { op, ty, dst, ref args } => {
                let sizes = args.iter().enumerate().map(|(i, slot)| (*slot, op.operand_size(ty, i)));
                let operands: SmallVec<[Operand; 3]> = sizes.map(|(slot, size)| self.operand(slot, size)).collect();
                self.operation(OpTag::Math(op, ty), dst, ty.size(), &operands)
            }
            Instr::PtrAdd { dst, ptr, offset } => {
                let operands = [self.operand(ptr, 8)];
                self.operation(OpTag::Address(0, offset), dst, 8, &operands)
            }
            Instr::PtrIndex { dst, ptr, index, stride } => {
                if self.term(ptr, 8).is_none() && self.settle(index, 8) {
                    return self.clear(dst, 8);
                }
                let operands = [self.operand(ptr, 8), self.operand(index, 8)];
                self.operation(OpTag::Address(stride, 0), dst, 8, &operands)
            }
            Instr::Bounds { index, len } => {
                if self.term(index, 8).is_none() && self.term(len, 8).is_none() {
                    return Ok(None);
                }
                self.assume_in_bounds(index, len);
                Ok(Some(Flow::Next))
            }
            Instr::Branch { cond, yes, no } => {
                let Some(term) = self.term(cond, 1) else {
                    return Ok(None);
                };
                // The program promises that it does not get to unreachable code.
                let truth = match (self.leads_nowhere(instrs, yes), self.leads_nowhere(instrs, no)) {
                    (true, false) => self.decide_only(term, false),
                    (false, true) => self.decide_only(term, true),
                    _ => self.decide(term),
                };
                self.pc = if truth { yes } else { no };
                Ok(Some(Flow::Jump))
            }
            Instr::Switch { src, size, ref table, default } => {
                let Some(term) = self.term(src, u32::from(size)) else {
                    return Ok(None);
                };
                let has_other = !self.leads_nowhere(instrs, default);
                let rng = &mut self.rng;
                let chosen = self.terms.choose(term, table, has_other, &mut |bound| rng.below(bound));
                self.pc = chosen.map_or(default, |index| table[index].1);
                Ok(Some(Flow::Jump))
            }
            Instr::CallPtr { ptr: callee, .. } | Instr::CallVirtual { vtable: callee, .. } => {
                match self.term(callee, 8) {
                    Some(_) => Err(Stop::UnknownCallee),
                    None => Ok(None),
                }
            }
            Instr::Resume { obj, body, out, done, .. } => {
                let Some(term) = self.term(obj, 8) else {
                    return Ok(None);
                };
                let code = self.code(body);
                if !self.fits(&code, &[], out) {
                    return Err(Stop::Fault(crate::memory::Fault::BadCode));
                }
                self.derived(out, code.ret.1, term);
                self.clear(done, 1)?;
                self.write(done, 1, 1);
                DONE
            }
            Instr::DropCoroutine { obj, .. } => Ok(self.term(obj, 8).map(|_| Flow::Next)),
            Instr::Load { dst, ptr, offset, size, volatile } => {
                let Some(term) = self.term(ptr, 8) else {
                    return Ok(None);
                };
                match if volatile { None } else { self.read_uninterpreted_object(term, offset, size) } {
                    Some(from) => self.memory.copy(from, self.slot(dst), size as usize),
                    None => self.derived(dst, size, term),
                }
                DONE
            }
            Instr::Store { ptr, offset, src, size, .. } => {
                let Some(term) = self.term(ptr, 8) else {
                    return Ok(None);
                };
                self.terms.dropped_stores += 1;
                self.write_uninterpreted_object(term, offset, self.slot(src), size);
                DONE
            }
            Instr::CopyMem { dst, dst_offset, src, src_offset, size } => {
                let (to, from) = (self.term(dst, 8), self.term(src, 8));
                // A zero-sized access is valid at any address.
                if size == 0 && (to.is_some() || from.is_some()) {
                    return DONE;
                }
                let readable = match from {
                    Some(term) => self.read_uninterpreted_object(term, src_offset, size),
                    None if to.is_none() => return Ok(None),
                    None => {
                        let addr = self.read(src, 8).wrapping_add(u64::from(src_offset));
                        Some(self.memory.readable(addr, size as usize)?)
                    }
                };
                let Some(to) = to else {
                    let addr = self.read(dst, 8).wrapping_add(u64::from(dst_offset));
                    return match (readable, from) {
                        (Some(from), _) => {
                            let to = self.memory.writable(addr, size as usize)?;
                            self.memory.copy(from, to, size as usize);
                            DONE
                        }
                        (_, Some(term)) => self.blur(addr, u64::from(size), term),
                        _ => DONE,
                    };
                };
                self.terms.dropped_stores += 1;
                match readable {
                    Some(from) => self.write_uninterpreted_object(to, dst_offset, from, size),
                    None => self.forget_uninterpreted_objects(None),
                }
                DONE
            }
            Instr::MoveBytes { dst, src, count, stride, .. } => {
                if self.term(dst, 8).is_some() || !self.settle(count, 8) {
                    return self.lose_store();
                }
                let Some(term) = self.term(src, 8) else {
                    return Ok(None);
                };
                self.blur(self.read(dst, 8), self.read(count, 8).wrapping_mul(stride), term)
            }
            Instr::SetBytes { dst, value, count, stride } => {
                if self.term(dst, 8).is_some() || !self.settle(count, 8) {
                    return self.lose_store();
                }
                let Some(term) = self.term(value, 1) else {
                    return Ok(None);
                };
                self.blur(self.read(dst, 8), self.read(count, 8).wrapping_mul(stride), term)
            }
            Instr::CompareBytes { dst, a, b, len } => self.compare_term(dst, a, b, len),
            Instr::AtomicLoad { .. }
            | Instr::AtomicStore { .. }
            | Instr::AtomicRmw { .. }
            | Instr::AtomicCas { .. } => self.atomic_term(instr),
            Instr::Unknown { .. }
            | Instr::Copy { .. }
            | Instr::LocalRead { .. }
            | Instr::LocalWrite { .. }
            | Instr::StorageDead { .. }
            | Instr::Fence { .. }
            | Instr::Await
            | Instr::Omitted { .. }
            | Instr::Jump { .. }
            | Instr::Call { .. }
            | Instr::Return
            | Instr::Enter { .. }
            | Instr::Leave { .. }
            | Instr::Unwind
            | Instr::Panic { .. }
            | Instr::Unreachable
            | Instr::Abort
            | Instr::CatchUnwind { .. }
            | Instr::Suspend { .. } => Ok(None),
        }
    }

    fn binary_term(&mut self, op: BinOp, ty: Scalar, right: u32, dst: Slot, a: Slot, b: Slot) -> Handled {
        let operands = [self.operand(a, ty.size()), self.operand(b, right)];
        self.operation(OpTag::Bin(op, ty), dst, arith::result_size(op, ty), &operands)
    }

    /// A store of unknown length.
    fn lose_store(&mut self) -> Handled {
        self.terms.dropped_stores += 1;
        self.forget_uninterpreted_objects(None);
        DONE
    }

    /// Sets bytes to unknown values.
    fn blur(&mut self, to: u64, len: u64, from: TermId) -> Handled {
        if len > 0 {
            let target = self.memory.writable(to, len.min(u64::from(u32::MAX)) as usize)?;
            let term = self.terms.derived(from);
            self.set_term_at(target, len as u32, term);
        }
        DONE
    }

    fn compare_term(&mut self, dst: Slot, a: Slot, b: Slot, len: Slot) -> Handled {
        let addresses = [self.term(a, 8), self.term(b, 8), self.term(len, 8)];
        if let Some(term) = addresses.into_iter().flatten().next() {
            self.derived(dst, 4, term);
            return DONE;
        }
        let size = self.read(len, 8);
        if size == 0 || size > crate::memory::MAX_ALLOCATION {
            return self.clear(dst, 4);
        }
        let left = self.memory.readable(self.read(a, 8), size as usize)?;
        let right = self.memory.readable(self.read(b, 8), size as usize)?;
        let of = |term: Option<TermId>, addr: u64| match term {
            Some(term) => Operand::Term(term),
            None => Operand::Const(u128::from(addr)),
        };
        let left = of(self.term_at(left, size as u32), self.read(a, 8));
        let right = of(self.term_at(right, size as u32), self.read(b, 8));
        self.operation(OpTag::Compare(size as u32), dst, 4, &[left, right])
    }

    fn atomic_term(&mut self, instr: &Instr) -> Handled {
        let (ptr, size) = match *instr {
            Instr::AtomicLoad { ptr, size, .. }
            | Instr::AtomicStore { ptr, size, .. }
            | Instr::AtomicRmw { ptr, size, .. }
            | Instr::AtomicCas { ptr, size, .. } => (ptr, u32::from(size)),
            _ => return Ok(None),
        };
        if let Some(term) = self.term(ptr, 8) {
            self.forget_uninterpreted_objects(None);
            match *instr {
                Instr::AtomicLoad { dst, .. } | Instr::AtomicRmw { dst, .. } => self.derived(dst, size, term),
                Instr::AtomicCas { dst, ok, .. } => {
                    self.derived(dst, size, term);
                    self.derived(ok, 1, term);
                }
                _ => self.terms.dropped_stores += 1,
            }
            return DONE;
        }
        let at = self.memory.readable(self.read(ptr, 8), size as usize)?;
        let old = self.term_at(at, size);
        match self.atomic(instr)? {
            Flow::Next => {}
            other => return Ok(Some(other)),
        }
        match *instr {
            Instr::AtomicLoad { dst, .. } => self.set_or_clear(self.slot(dst), size, old),
            Instr::AtomicStore { src, .. } => {
                let new = self.term(src, size);
                self.set_or_clear(at, size, new);
            }
            Instr::AtomicRmw { dst, src, op, .. } => {
                let new = self.term(src, size);
                let stored = if op == crate::ir::RmwOp::Xchg { new } else { old.or(new) };
                let stored =
                    stored.map(|term| if op == crate::ir::RmwOp::Xchg { term } else { self.terms.derived(term) });
                self.set_or_clear(at, size, stored);
                self.set_or_clear(self.slot(dst), size, old);
            }
            Instr::AtomicCas { dst, ok, old: expected, new, .. } => {
                let unknown = old.or(self.term(expected, size));
                if let Some(term) = unknown {
                    self.terms.take_for_granted(term);
                }
                let stored = match unknown.is_some() || self.read(ok, 1) == 1 {
                    // A comparison with an unknown value succeeds, so that retry loops end.
                    true => {
                        self.write(ok, 1, 1);
                        let (index, offset) = at;
                        let value = self.read_wide(new, size);
                        self.memory.put_wide(index, offset, size, value);
                        self.term(new, size)
                    }
                    false => old,
                };
                self.set_or_clear(at, size, stored);
                self.set_or_clear(self.slot(dst), size, old);
                self.clear(ok, 1)?;
            }
            _ => {}
        }
        DONE
    }

    fn set_or_clear(&mut self, at: (usize, usize), size: u32, term: Option<TermId>) {
        match term {
            Some(term) => self.set_term_at(at, size, term),
            None => self.memory.clear_uninterpreted(at.0, at.1, size as usize),
        }
    }

    /// Sets the result of a model with an unknown argument.
    pub(crate) fn blurred_model(&mut self, dst: Slot, size: u32, from: TermId, never_null: bool) -> Step {
        let term = self.terms.derived(from);
        if never_null {
            self.terms.exclude(term, 0);
        }
        self.set_term(dst, size, term);
        self.complete();
        Ok(Flow::Next)
    }
}
