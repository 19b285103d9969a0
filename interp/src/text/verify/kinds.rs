//! The sizes, kinds and orderings that an instruction is defined for.

use crate::ir::{BinOp, Instr, MathOp, Ordering, Scalar, Trap, UnOp};

/// Calls `error` for each undefined one.
pub(super) fn check(instr: &Instr, error: &mut dyn FnMut(String)) {
    match instr {
        Instr::Const { size, .. } if !is_scalar_size(*size) => {
            error(format!("a constant of {size} bytes"));
        }
        Instr::Bin { op, ty, .. } | Instr::BinImm { op, ty, .. } => {
            use BinOp::{And, Cmp, Or, Shl, Shr, Xor};
            if ty.is_float() && matches!(op, And | Or | Xor | Shl | Shr | Cmp) {
                error(format!("{op:?} of {ty:?}"));
            }
        }
        Instr::Checked { op, ty, rhs, .. } => {
            let shift = matches!(op, BinOp::Shl | BinOp::Shr);
            if !has_overflow(*op, true) || ty.is_float() || shift && rhs.is_float() {
                error(format!("checked {op:?} of {ty:?}"));
            }
        }
        Instr::CheckedImm { op, ty, .. } if !has_overflow(*op, true) || ty.is_float() => {
            error(format!("checked {op:?} of {ty:?}"));
        }
        Instr::Overflowing { op, ty, .. } if !has_overflow(*op, false) || ty.is_float() => {
            error(format!("overflowing {op:?} of {ty:?}"));
        }
        Instr::CheckedNeg { ty, .. } if !ty.is_signed() => error(format!("checked negation of {ty:?}")),
        Instr::Un { op, ty, .. } if !has_unary(*op, *ty) => error(format!("{op:?} of {ty:?}")),
        Instr::Math { op, ty, args, .. } => {
            let (arity, float) = shape(*op);
            if args.len() != arity {
                error(format!("{op:?} takes {arity} operands, not {}", args.len()));
            }
            if ty.is_float() != float {
                error(format!("{op:?} of {ty:?}"));
            }
        }
        Instr::AtomicLoad { size, order, .. } => {
            atomic_size(*size, error);
            if matches!(order, Ordering::Release | Ordering::AcqRel) {
                error(format!("a load with {order:?}"));
            }
        }
        Instr::AtomicStore { size, order, .. } => {
            atomic_size(*size, error);
            if matches!(order, Ordering::Acquire | Ordering::AcqRel) {
                error(format!("a store with {order:?}"));
            }
        }
        Instr::AtomicRmw { size, .. } => atomic_size(*size, error),
        Instr::AtomicCas { size, failure, .. } => {
            atomic_size(*size, error);
            if matches!(failure, Ordering::Release | Ordering::AcqRel) {
                error(format!("a failed compare-and-swap with {failure:?}"));
            }
        }
        Instr::Fence { order: Ordering::Relaxed } => error("a relaxed fence".to_owned()),
        Instr::Switch { size, table, .. } => {
            if !is_scalar_size(*size) {
                error(format!("a switch on {size} bytes"));
            } else if let Some((value, _)) = table.iter().find(|entry| *size < 16 && entry.0 >> (8 * size) != 0) {
                error(format!("the switch's value {value} does not fit into {size} bytes"));
            }
        }
        Instr::CallVirtual { index: index @ (1 | 2), .. } => {
            error(format!("entry {index} of a vtable is no function"));
        }
        Instr::Panic { trap, args } => {
            let expected = if *trap == Trap::Bounds { 2 } else { 0 };
            if args.len() != expected {
                error(format!("{trap:?} takes {expected} operands, not {}", args.len()));
            }
        }
        _ => {}
    }
}

fn is_scalar_size(size: u8) -> bool {
    matches!(size, 1 | 2 | 4 | 8 | 16)
}

fn atomic_size(size: u8, error: &mut dyn FnMut(String)) {
    if !is_scalar_size(size) {
        error(format!("an atomic of {size} bytes"));
    }
}

fn has_overflow(op: BinOp, shifts: bool) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) || shifts && matches!(op, BinOp::Shl | BinOp::Shr)
}

fn has_unary(op: UnOp, ty: Scalar) -> bool {
    match op {
        UnOp::NotBool => ty == Scalar::U8,
        UnOp::Not | UnOp::Ctpop | UnOp::Ctlz | UnOp::Cttz | UnOp::Bswap | UnOp::Bitreverse => !ty.is_float(),
        UnOp::Neg => true,
        UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round | UnOp::RoundEven | UnOp::Fabs => {
            ty.is_float()
        }
    }
}

/// Number of operands, and whether they are floats.
fn shape(op: MathOp) -> (usize, bool) {
    use MathOp::{
        Atan2, CopySign, Fma, Hypot, MaxNum, MinNum, Pow, Powi, RotateLeft, RotateRight, SaturatingAdd, SaturatingSub,
    };
    match op {
        SaturatingAdd | SaturatingSub | RotateLeft | RotateRight => (2, false),
        MinNum | MaxNum | CopySign | Powi | Pow | Atan2 | Hypot => (2, true),
        Fma => (3, true),
        _ => (1, true),
    }
}
