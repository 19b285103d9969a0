//! The slots that an instruction reads and writes.

use crate::arith;
use crate::ir::{BinOp, Instr, Slot};

/// Size of a pointer, a count or a length.
const WORD: u32 = 8;

/// The size of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Bytes(u32),
    /// Known to the callee only: at most to the end of the region.
    Rest,
}

/// How a slot is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Read,
    Write,
    /// It is address-taken, or detectors see its accesses.
    Shared,
}

use Extent::{Bytes, Rest};
use Role::{Read, Shared, Write};

/// Calls `f` with each operand, reads before writes.
pub(super) fn visit(instr: &mut Instr, f: &mut dyn FnMut(&mut Slot, Extent, Role)) {
    match instr {
        Instr::Const { dst, size, .. } => f(dst, Bytes((*size).into()), Write),
        Instr::Copy { dst, src, size } => {
            f(src, Bytes(*size), Read);
            f(dst, Bytes(*size), Write);
        }
        Instr::LocalRead { dst, src, size } => {
            f(src, Bytes(*size), Shared);
            f(dst, Bytes(*size), Write);
        }
        Instr::LocalWrite { dst, src, size } => {
            f(src, Bytes(*size), Read);
            f(dst, Bytes(*size), Shared);
        }
        Instr::Zero { dst, size } | Instr::Unknown { dst, size, .. } => f(dst, Bytes(*size), Write),
        Instr::AddrOf { dst, slot } => {
            f(slot, Rest, Shared);
            f(dst, Bytes(WORD), Write);
        }
        Instr::StorageDead { slot, size } => f(slot, Bytes(*size), Shared),
        Instr::Bin { op, ty, dst, a, b } => {
            let right = if matches!(op, BinOp::Shl | BinOp::Shr) { 4 } else { ty.size() };
            f(a, Bytes(ty.size()), Read);
            f(b, Bytes(right), Read);
            f(dst, Bytes(arith::result_size(*op, *ty)), Write);
        }
        Instr::BinImm { op, ty, dst, a, .. } => {
            f(a, Bytes(ty.size()), Read);
            f(dst, Bytes(arith::result_size(*op, *ty)), Write);
        }
        Instr::Checked { op, ty, rhs, dst, a, b } => {
            let right = if matches!(op, BinOp::Shl | BinOp::Shr) { *rhs } else { *ty };
            f(a, Bytes(ty.size()), Read);
            f(b, Bytes(right.size()), Read);
            f(dst, Bytes(ty.size()), Write);
        }
        Instr::CheckedImm { ty, dst, a, .. } | Instr::CheckedNeg { ty, dst, a } => {
            f(a, Bytes(ty.size()), Read);
            f(dst, Bytes(ty.size()), Write);
        }
        Instr::Overflowing { ty, dst, flag, a, b, .. } => {
            f(a, Bytes(ty.size()), Read);
            f(b, Bytes(ty.size()), Read);
            f(dst, Bytes(ty.size()), Write);
            f(flag, Bytes(1), Write);
        }
        Instr::Un { op, ty, dst, a } => {
            f(a, Bytes(ty.size()), Read);
            f(dst, Bytes(arith::un_size(*op, *ty)), Write);
        }
        Instr::Cast { from, to, dst, a } => {
            f(a, Bytes(from.size()), Read);
            f(dst, Bytes(to.size()), Write);
        }
        Instr::Math { op, ty, dst, args } => {
            for (index, arg) in args.iter_mut().enumerate() {
                f(arg, Bytes(op.operand_size(*ty, index)), Read);
            }
            f(dst, Bytes(ty.size()), Write);
        }
        Instr::Load { dst, ptr, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(dst, Bytes(*size), Write);
        }
        Instr::Store { ptr, src, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(src, Bytes(*size), Read);
        }
        Instr::CopyMem { dst, src, .. } => {
            f(dst, Bytes(WORD), Read);
            f(src, Bytes(WORD), Read);
        }
        Instr::PtrAdd { dst, ptr, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(dst, Bytes(WORD), Write);
        }
        Instr::PtrIndex { dst, ptr, index, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(index, Bytes(WORD), Read);
            f(dst, Bytes(WORD), Write);
        }
        Instr::Bounds { index, len } => {
            f(index, Bytes(WORD), Read);
            f(len, Bytes(WORD), Read);
        }
        Instr::MoveBytes { dst, src, count, .. } => {
            f(dst, Bytes(WORD), Read);
            f(src, Bytes(WORD), Read);
            f(count, Bytes(WORD), Read);
        }
        Instr::SetBytes { dst, value, count, .. } => {
            f(dst, Bytes(WORD), Read);
            f(value, Bytes(1), Read);
            f(count, Bytes(WORD), Read);
        }
        Instr::CompareBytes { dst, a, b, len } => {
            f(a, Bytes(WORD), Read);
            f(b, Bytes(WORD), Read);
            f(len, Bytes(WORD), Read);
            f(dst, Bytes(4), Write);
        }
        Instr::GlobalAddr { dst, .. }
        | Instr::DataAddr { dst, .. }
        | Instr::FnAddr { dst, .. }
        | Instr::VtableAddr { dst, .. }
        | Instr::CallerLocation { dst }
        | Instr::Here { dst } => f(dst, Bytes(WORD), Write),
        Instr::AtomicLoad { dst, ptr, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(dst, Bytes((*size).into()), Write);
        }
        Instr::AtomicStore { ptr, src, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(src, Bytes((*size).into()), Read);
        }
        Instr::AtomicRmw { dst, ptr, src, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(src, Bytes((*size).into()), Read);
            f(dst, Bytes((*size).into()), Write);
        }
        Instr::AtomicCas { dst, ok, ptr, old, new, size, .. } => {
            f(ptr, Bytes(WORD), Read);
            f(old, Bytes((*size).into()), Read);
            f(new, Bytes((*size).into()), Read);
            f(dst, Bytes((*size).into()), Write);
            f(ok, Bytes(1), Write);
        }
        Instr::Branch { cond, .. } => f(cond, Bytes(1), Read),
        Instr::Switch { src, size, .. } => f(src, Bytes((*size).into()), Read),
        Instr::Call { args, dst, .. } => {
            args.iter_mut().for_each(|arg| f(arg, Rest, Read));
            f(dst, Rest, Write);
        }
        Instr::CallPtr { ptr, args, dst } => {
            f(ptr, Bytes(WORD), Read);
            args.iter_mut().for_each(|arg| f(arg, Rest, Read));
            f(dst, Rest, Write);
        }
        Instr::CallVirtual { vtable, args, dst, .. } => {
            f(vtable, Bytes(WORD), Read);
            args.iter_mut().for_each(|arg| f(arg, Rest, Read));
            f(dst, Rest, Write);
        }
        Instr::Panic { args, .. } => args.iter_mut().for_each(|arg| f(arg, Bytes(WORD), Read)),
        Instr::CatchUnwind { func, data, handler, dst } => {
            f(func, Bytes(WORD), Read);
            f(data, Bytes(WORD), Read);
            f(handler, Bytes(WORD), Read);
            f(dst, Bytes(4), Write);
        }
        Instr::Resume { obj, arg, out, done, .. } => {
            f(obj, Bytes(WORD), Read);
            f(arg, Bytes(WORD), Read);
            f(out, Rest, Write);
            f(done, Bytes(1), Write);
        }
        Instr::Suspend { arg, .. } => f(arg, Bytes(WORD), Write),
        Instr::DropCoroutine { obj, .. } => f(obj, Bytes(WORD), Read),
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
    }
}

/// The only result of an instruction that reads all its operands before it writes.
pub(super) fn result(instr: &mut Instr) -> Option<(&mut Slot, Extent)> {
    match instr {
        Instr::Const { dst, size, .. } => Some((dst, Bytes((*size).into()))),
        Instr::Copy { dst, size, .. } | Instr::LocalRead { dst, size, .. } | Instr::Zero { dst, size } => {
            Some((dst, Bytes(*size)))
        }
        Instr::AddrOf { dst, .. }
        | Instr::PtrAdd { dst, .. }
        | Instr::PtrIndex { dst, .. }
        | Instr::GlobalAddr { dst, .. }
        | Instr::DataAddr { dst, .. }
        | Instr::FnAddr { dst, .. }
        | Instr::VtableAddr { dst, .. } => Some((dst, Bytes(WORD))),
        Instr::Bin { op, ty, dst, .. } | Instr::BinImm { op, ty, dst, .. } => {
            Some((dst, Bytes(arith::result_size(*op, *ty))))
        }
        Instr::Checked { ty, dst, .. } | Instr::CheckedImm { ty, dst, .. } | Instr::CheckedNeg { ty, dst, .. } => {
            Some((dst, Bytes(ty.size())))
        }
        Instr::Un { op, ty, dst, .. } => Some((dst, Bytes(arith::un_size(*op, *ty)))),
        Instr::Cast { to, dst, .. } => Some((dst, Bytes(to.size()))),
        Instr::Load { dst, size, .. } => Some((dst, Bytes(*size))),
        Instr::AtomicLoad { dst, size, .. } => Some((dst, Bytes((*size).into()))),
        Instr::Call { dst, .. } | Instr::CallPtr { dst, .. } | Instr::CallVirtual { dst, .. } => Some((dst, Rest)),
        _ => None,
    }
}

/// Whether its only effect is its result.
pub(super) fn is_pure(instr: &Instr) -> bool {
    match instr {
        Instr::Const { .. }
        | Instr::Copy { .. }
        | Instr::Zero { .. }
        | Instr::AddrOf { .. }
        | Instr::Un { .. }
        | Instr::Cast { .. }
        | Instr::PtrAdd { .. }
        | Instr::PtrIndex { .. } => true,
        Instr::Bin { op, .. } | Instr::BinImm { op, .. } => !matches!(op, BinOp::Div | BinOp::Rem),
        _ => false,
    }
}

/// Whether a panic may go out of it.
pub(super) fn may_unwind(instr: &Instr) -> bool {
    match instr {
        Instr::Bin { op, .. } => matches!(op, BinOp::Div | BinOp::Rem),
        Instr::BinImm { op, imm, .. } => matches!(op, BinOp::Div | BinOp::Rem) && matches!(imm, 0 | -1),
        Instr::Checked { .. }
        | Instr::CheckedImm { .. }
        | Instr::CheckedNeg { .. }
        | Instr::Bounds { .. }
        | Instr::Call { .. }
        | Instr::CallPtr { .. }
        | Instr::CallVirtual { .. }
        | Instr::Panic { .. }
        | Instr::CatchUnwind { .. }
        | Instr::GlobalAddr { .. }
        | Instr::Resume { .. }
        | Instr::Suspend { .. }
        | Instr::DropCoroutine { .. } => true,
        _ => false,
    }
}

/// Whether control never continues at the next instruction.
pub(super) fn diverges(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Jump { .. }
            | Instr::Branch { .. }
            | Instr::Switch { .. }
            | Instr::Return
            | Instr::Leave { .. }
            | Instr::Unwind
            | Instr::Panic { .. }
            | Instr::Unreachable
            | Instr::Abort
            | Instr::Suspend { .. }
    )
}

/// Calls `f` with the jump targets of an instruction.
pub(super) fn targets(instr: &mut Instr, f: &mut dyn FnMut(&mut u32)) {
    match instr {
        Instr::Jump { to } => f(to),
        Instr::Branch { yes, no, .. } => {
            f(yes);
            f(no);
        }
        Instr::Switch { table, default, .. } => {
            table.iter_mut().for_each(|entry| f(&mut entry.1));
            f(default);
        }
        Instr::Suspend { resume, drop, .. } => {
            f(resume);
            f(drop);
        }
        _ => {}
    }
}
