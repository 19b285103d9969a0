//! Copy propagation: reads of copies become reads of the original, and constant right operands become immediates.

use super::{Frame, overlap, uses};
use crate::arith;
use crate::ir::{BinOp, Code, Instr, Scalar, Slot};
use uses::Role;

/// Maximum number of facts.
const MOST: usize = 24;

/// Facts that hold at a point in the code.
#[derive(Clone, Default)]
struct Facts {
    /// Destination, source and size of copies.
    copies: Vec<(Slot, Slot, u32)>,
    /// Slot, size and value of constants of at most 8 bytes.
    consts: Vec<(Slot, u32, u64)>,
}

impl Facts {
    fn forget(&mut self, slot: Slot, len: u32) {
        self.copies.retain(|&(dst, src, size)| !overlap(dst, size, slot, len) && !overlap(src, size, slot, len));
        self.consts.retain(|&(at, size, _)| !overlap(at, size, slot, len));
    }

    /// The original of a copy.
    fn source(&self, slot: Slot, len: u32) -> Option<Slot> {
        let found = self.copies.iter().find(|(dst, _, size)| *dst <= slot && slot + len <= dst + size);
        found.map(|(dst, src, _)| src + (slot - dst))
    }

    fn constant(&self, slot: Slot, len: u32) -> Option<u64> {
        self.consts.iter().find(|(at, size, _)| *at == slot && *size == len).map(|found| found.2)
    }
}

/// Rewrites operands, and branches with constant conditions.
pub(super) fn propagate(code: &mut Code, frame: &Frame) {
    let sources = ways_in(code);
    let mut entering: Vec<Option<Facts>> = vec![None; code.instrs.len()];
    let mut facts = Facts::default();
    let mut falls_through = false;
    for pc in 0..code.instrs.len() {
        if sources[pc] > u32::from(falls_through) {
            // Facts from the only jump to this instruction.
            facts = entering[pc].take().filter(|_| sources[pc] == 1 && !falls_through).unwrap_or_default();
        } else if !falls_through {
            facts = Facts::default();
        }
        let instr = &mut code.instrs[pc];
        replace_reads(instr, &facts, frame);
        simplify(instr, &facts);
        uses::visit(instr, &mut |slot, extent, role| {
            if role != Role::Read {
                facts.forget(*slot, frame.len(*slot, extent).max(1));
            }
        });
        learn(instr, &mut facts, frame);
        uses::targets(instr, &mut |to| {
            if *to as usize > pc && sources[*to as usize] == 1 {
                entering[*to as usize] = Some(facts.clone());
            }
        });
        falls_through = !uses::diverges(instr);
    }
}

/// The number of predecessors of each instruction; two stand for unknown.
fn ways_in(code: &mut Code) -> Vec<u32> {
    let mut ways = vec![0; code.instrs.len()];
    if let Some(first) = ways.first_mut() {
        *first = 2;
    }
    for pc in 0..code.instrs.len() {
        let instr = &mut code.instrs[pc];
        uses::targets(instr, &mut |to| ways[*to as usize] += 1);
        if !uses::diverges(instr) && pc + 1 < ways.len() {
            ways[pc + 1] += 1;
        }
    }
    for range in &code.unwind {
        ways[range.target as usize] += 2;
    }
    ways
}

fn replace_reads(instr: &mut Instr, facts: &Facts, frame: &Frame) {
    if facts.copies.is_empty() {
        return;
    }
    uses::visit(instr, &mut |slot, extent, role| {
        let len = frame.len(*slot, extent);
        if role == Role::Read
            && len > 0
            && let Some(source) = facts.source(*slot, len)
        {
            *slot = source;
        }
    });
}

fn learn(instr: &Instr, facts: &mut Facts, frame: &Frame) {
    match *instr {
        Instr::Copy { dst, src, size }
            if size > 0
                && facts.copies.len() < MOST
                && !overlap(dst, size, src, size)
                && !frame.is_shared(dst, size)
                && !frame.is_shared(src, size) =>
        {
            facts.copies.push((dst, src, size));
            if let Some(value) = facts.constant(src, size) {
                facts.consts.push((dst, size, value));
            }
        }
        Instr::Const { dst, size, bits, .. }
            if size <= 8 && facts.consts.len() < MOST && !frame.is_shared(dst, size.into()) =>
        {
            facts.consts.push((dst, size.into(), bits));
        }
        _ => {}
    }
}

/// A constant right operand for `BinImm`.
fn immediate(facts: &Facts, slot: Slot, kind: Scalar) -> Option<i64> {
    if kind.is_float() || kind.size() > 8 {
        return None;
    }
    let bits = facts.constant(slot, kind.size())?;
    i64::try_from(arith::extend(kind, bits.into())).ok()
}

fn simplify(instr: &mut Instr, facts: &Facts) {
    match *instr {
        Instr::Copy { dst, src, size } => {
            if let Some(bits) = facts.constant(src, size) {
                *instr = Instr::Const { dst, size: size as u8, bits, high: 0 };
            }
        }
        Instr::Cast { from, to, dst, a } if from.size() == to.size() && !from.is_float() && !to.is_float() => {
            *instr = Instr::Copy { dst, src: a, size: to.size() };
        }
        Instr::Bin { op, ty, dst, a, b } if !ty.is_float() => {
            let kind = if matches!(op, BinOp::Shl | BinOp::Shr) { Scalar::U32 } else { ty };
            if let Some(imm) = immediate(facts, b, kind) {
                *instr = Instr::BinImm { op, ty, dst, a, imm };
            }
        }
        Instr::Checked { op, ty, rhs, dst, a, b } if !ty.is_float() => {
            let kind = if matches!(op, BinOp::Shl | BinOp::Shr) { rhs } else { ty };
            if let Some(imm) = immediate(facts, b, kind) {
                *instr = Instr::CheckedImm { op, ty, dst, a, imm };
            }
        }
        Instr::Branch { cond, yes, no } => {
            if let Some(value) = facts.constant(cond, 1) {
                *instr = Instr::Jump { to: if value as u8 == 0 { no } else { yes } };
            }
        }
        Instr::Switch { src, size, ref table, default } => {
            if let Some(value) = facts.constant(src, size.into()) {
                let mask = if size == 8 { u64::MAX } else { (1 << (u32::from(size) * 8)) - 1 };
                let found = table.iter().find(|case| case.0 == u128::from(value & mask));
                *instr = Instr::Jump { to: found.map_or(default, |case| case.1) };
            }
        }
        _ => {}
    }
}
