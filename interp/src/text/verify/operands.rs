//! The slots that an instruction uses, and their sizes.

use crate::ir::{BinOp, Instr, Slot, UnOp};

/// Size of a pointer, a count or a length.
const WORD: u32 = 8;

/// Calls `f` with each operand's slot and size; 0 if the callee determines the size.
pub(super) fn operands(instr: &Instr, f: &mut dyn FnMut(Slot, u32)) {
    let mut all = |operands: &[(Slot, u32)]| operands.iter().for_each(|&(slot, size)| f(slot, size));
    match *instr {
        Instr::Const { dst, size, .. } => all(&[(dst, size.into())]),
        Instr::Copy { dst, src, size } | Instr::LocalRead { dst, src, size } | Instr::LocalWrite { dst, src, size } => {
            all(&[(dst, size), (src, size)])
        }
        Instr::Zero { dst, size } | Instr::Unknown { dst, size, .. } => all(&[(dst, size)]),
        Instr::AddrOf { dst, slot } => all(&[(dst, WORD), (slot, 0)]),
        Instr::StorageDead { slot, size } => all(&[(slot, size)]),
        Instr::Bin { op, ty, dst, a, b } => {
            let right = if matches!(op, BinOp::Shl | BinOp::Shr) { 4 } else { ty.size() };
            all(&[(dst, bin_result(op, ty.size())), (a, ty.size()), (b, right)]);
        }
        Instr::BinImm { op, ty, dst, a, .. } => all(&[(dst, bin_result(op, ty.size())), (a, ty.size())]),
        Instr::Checked { op, ty, rhs, dst, a, b } => {
            let right = if matches!(op, BinOp::Shl | BinOp::Shr) { rhs } else { ty };
            all(&[(dst, ty.size()), (a, ty.size()), (b, right.size())]);
        }
        Instr::CheckedImm { ty, dst, a, .. } | Instr::CheckedNeg { ty, dst, a } => {
            all(&[(dst, ty.size()), (a, ty.size())]);
        }
        Instr::Overflowing { ty, dst, flag, a, b, .. } => {
            all(&[(dst, ty.size()), (flag, 1), (a, ty.size()), (b, ty.size())]);
        }
        Instr::Un { op, ty, dst, a } => {
            let result = if matches!(op, UnOp::Ctpop | UnOp::Ctlz | UnOp::Cttz) { 4 } else { ty.size() };
            all(&[(dst, result), (a, ty.size())]);
        }
        Instr::Cast { from, to, dst, a } => all(&[(dst, to.size()), (a, from.size())]),
        Instr::Math { op, ty, dst, ref args } => {
            all(&[(dst, ty.size())]);
            for (index, &arg) in args.iter().enumerate() {
                f(arg, op.operand_size(ty, index));
            }
        }
        Instr::Load { dst, ptr, size, .. } => all(&[(dst, size), (ptr, WORD)]),
        Instr::Store { ptr, src, size, .. } => all(&[(ptr, WORD), (src, size)]),
        Instr::CopyMem { dst, src, .. } => all(&[(dst, WORD), (src, WORD)]),
        Instr::PtrAdd { dst, ptr, .. } => all(&[(dst, WORD), (ptr, WORD)]),
        Instr::PtrIndex { dst, ptr, index, .. } => all(&[(dst, WORD), (ptr, WORD), (index, WORD)]),
        Instr::Bounds { index, len } => all(&[(index, WORD), (len, WORD)]),
        Instr::MoveBytes { dst, src, count, .. } => all(&[(dst, WORD), (src, WORD), (count, WORD)]),
        Instr::SetBytes { dst, value, count, .. } => all(&[(dst, WORD), (value, 1), (count, WORD)]),
        Instr::CompareBytes { dst, a, b, len } => all(&[(dst, 4), (a, WORD), (b, WORD), (len, WORD)]),
        Instr::GlobalAddr { dst, .. }
        | Instr::DataAddr { dst, .. }
        | Instr::FnAddr { dst, .. }
        | Instr::VtableAddr { dst, .. }
        | Instr::CallerLocation { dst }
        | Instr::Here { dst } => all(&[(dst, WORD)]),
        Instr::AtomicLoad { dst, ptr, size, .. } => all(&[(dst, size.into()), (ptr, WORD)]),
        Instr::AtomicStore { ptr, src, size, .. } => all(&[(ptr, WORD), (src, size.into())]),
        Instr::AtomicRmw { dst, ptr, src, size, .. } => {
            all(&[(dst, size.into()), (ptr, WORD), (src, size.into())]);
        }
        Instr::AtomicCas { dst, ok, ptr, old, new, size, .. } => {
            let size = size.into();
            all(&[(dst, size), (ok, 1), (ptr, WORD), (old, size), (new, size)]);
        }
        Instr::Fence { .. }
        | Instr::Await
        | Instr::Omitted { .. }
        | Instr::Jump { .. }
        | Instr::Return
        | Instr::Enter { .. }
        | Instr::Leave { .. }
        | Instr::Unwind
        | Instr::Unreachable
        | Instr::Abort => {}
        Instr::Branch { cond, .. } => all(&[(cond, 1)]),
        Instr::Switch { src, size, .. } => all(&[(src, size.into())]),
        Instr::Call { ref args, dst, .. } => {
            all(&[(dst, 0)]);
            args.iter().for_each(|&arg| f(arg, 0));
        }
        Instr::CallPtr { ptr, ref args, dst } => {
            all(&[(ptr, WORD), (dst, 0)]);
            args.iter().for_each(|&arg| f(arg, 0));
        }
        Instr::CallVirtual { vtable, ref args, dst, .. } => {
            all(&[(vtable, WORD), (dst, 0)]);
            args.iter().for_each(|&arg| f(arg, 0));
        }
        Instr::Panic { ref args, .. } => args.iter().for_each(|&arg| f(arg, 0)),
        Instr::CatchUnwind { func, data, handler, dst } => {
            all(&[(func, WORD), (data, WORD), (handler, WORD), (dst, 4)]);
        }
        Instr::Resume { obj, arg, out, done, .. } => all(&[(obj, WORD), (arg, WORD), (out, 0), (done, 1)]),
        Instr::Suspend { arg, .. } => all(&[(arg, WORD)]),
        Instr::DropCoroutine { obj, .. } => all(&[(obj, WORD)]),
    }
}

fn bin_result(op: BinOp, size: u32) -> u32 {
    match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Cmp => 1,
        _ => size,
    }
}
