//! Scalar arithmetic, exactly as in Rust.
//!
//! Scalars are passed as their bits, in the low bytes of a `u64` (or `u128` for 16-byte kinds). Bits above the kind's
//! width are ignored on input and unspecified on output.

mod float;
mod unary;

pub use self::float::math;
pub use self::unary::{cast, un, un_size};

use crate::ir::{BinOp, Scalar, Trap};

macro_rules! int_bin {
    ($t:ty, $op:expr, $a:expr, $b:expr, $wide:ty) => {{
        let (a, b) = ($a as $t, $b as $t);
        Ok(match $op {
            BinOp::Add => a.wrapping_add(b) as $wide,
            BinOp::Sub => a.wrapping_sub(b) as $wide,
            BinOp::Mul => a.wrapping_mul(b) as $wide,
            BinOp::Div => match a.checked_div(b) {
                Some(value) => value as $wide,
                None if b == 0 => return Err(Trap::DivByZero),
                None => return Err(Trap::DivOverflow),
            },
            BinOp::Rem => match a.checked_rem(b) {
                Some(value) => value as $wide,
                None if b == 0 => return Err(Trap::RemByZero),
                None => return Err(Trap::RemOverflow),
            },
            BinOp::And => (a & b) as $wide,
            BinOp::Or => (a | b) as $wide,
            BinOp::Xor => (a ^ b) as $wide,
            BinOp::Shl => a.wrapping_shl($b as u32) as $wide,
            BinOp::Shr => a.wrapping_shr($b as u32) as $wide,
            BinOp::Eq => <$wide>::from(a == b),
            BinOp::Ne => <$wide>::from(a != b),
            BinOp::Lt => <$wide>::from(a < b),
            BinOp::Le => <$wide>::from(a <= b),
            BinOp::Gt => <$wide>::from(a > b),
            BinOp::Ge => <$wide>::from(a >= b),
            BinOp::Cmp => (a.cmp(&b) as i8) as $wide,
        })
    }};
}

/// A binary operation on a kind of at most 8 bytes.
#[inline]
pub fn bin(op: BinOp, ty: Scalar, a: u64, b: u64) -> Result<u64, Trap> {
    match ty {
        Scalar::U64 => int_bin!(u64, op, a, b, u64),
        Scalar::I32 => int_bin!(i32, op, a, b, u64),
        Scalar::U8 => int_bin!(u8, op, a, b, u64),
        Scalar::U32 => int_bin!(u32, op, a, b, u64),
        Scalar::I64 => int_bin!(i64, op, a, b, u64),
        Scalar::I8 => int_bin!(i8, op, a, b, u64),
        Scalar::I16 => int_bin!(i16, op, a, b, u64),
        Scalar::U16 => int_bin!(u16, op, a, b, u64),
        Scalar::F32 => Ok(float::bin32(op, a as u32, b as u32)),
        Scalar::F64 => Ok(float::bin64(op, a, b)),
        Scalar::I128 | Scalar::U128 => bin_wide(op, ty, u128::from(a), u128::from(b)).map(|value| value as u64),
    }
}

/// A binary operation on any kind.
pub fn bin_wide(op: BinOp, ty: Scalar, a: u128, b: u128) -> Result<u128, Trap> {
    match ty {
        Scalar::I128 => int_bin!(i128, op, a, b, u128),
        Scalar::U128 => int_bin!(u128, op, a, b, u128),
        _ => bin(op, ty, a as u64, b as u64).map(u128::from),
    }
}

/// Size in bytes of a binary operation's result.
#[inline]
pub fn result_size(op: BinOp, ty: Scalar) -> u32 {
    match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Cmp => 1,
        _ => ty.size(),
    }
}

macro_rules! int_overflowing {
    ($t:ty, $op:expr, $a:expr, $b:expr, $wide:ty) => {{
        let (a, b) = ($a as $t, $b as $t);
        let (value, flag) = match $op {
            BinOp::Add => a.overflowing_add(b),
            BinOp::Sub => a.overflowing_sub(b),
            BinOp::Mul => a.overflowing_mul(b),
            _ => (a, false),
        };
        (value as $wide, flag)
    }};
}

/// The wrapped result and whether it overflowed, for `Add`, `Sub`, `Mul`.
#[inline]
pub fn overflowing(op: BinOp, ty: Scalar, a: u64, b: u64) -> (u64, bool) {
    match ty {
        Scalar::U64 => int_overflowing!(u64, op, a, b, u64),
        Scalar::I32 => int_overflowing!(i32, op, a, b, u64),
        Scalar::U32 => int_overflowing!(u32, op, a, b, u64),
        Scalar::I64 => int_overflowing!(i64, op, a, b, u64),
        Scalar::U8 => int_overflowing!(u8, op, a, b, u64),
        Scalar::I8 => int_overflowing!(i8, op, a, b, u64),
        Scalar::I16 => int_overflowing!(i16, op, a, b, u64),
        Scalar::U16 => int_overflowing!(u16, op, a, b, u64),
        Scalar::F32 | Scalar::F64 | Scalar::I128 | Scalar::U128 => (bin(op, ty, a, b).unwrap_or(0), false),
    }
}

/// Like [`overflowing`], for any kind.
pub fn overflowing_wide(op: BinOp, ty: Scalar, a: u128, b: u128) -> (u128, bool) {
    match ty {
        Scalar::I128 => int_overflowing!(i128, op, a, b, u128),
        Scalar::U128 => int_overflowing!(u128, op, a, b, u128),
        _ => {
            let (value, flag) = overflowing(op, ty, a as u64, b as u64);
            (u128::from(value), flag)
        }
    }
}

/// The result as in debug builds: traps on overflow. The right operand of a shift is of kind `rhs`.
pub fn checked(op: BinOp, ty: Scalar, rhs: Scalar, a: u128, b: u128) -> Result<u128, Trap> {
    if ty.is_float() {
        return bin_wide(op, ty, a, b);
    }
    let trap = match op {
        BinOp::Add => Trap::AddOverflow,
        BinOp::Sub => Trap::SubOverflow,
        BinOp::Mul => Trap::MulOverflow,
        BinOp::Shl | BinOp::Shr => {
            let amount = extend(rhs, b);
            if !(0..i128::from(ty.size() * 8)).contains(&amount) {
                return Err(if op == BinOp::Shl { Trap::ShlOverflow } else { Trap::ShrOverflow });
            }
            return bin_wide(op, ty, a, amount as u128);
        }
        _ => return bin_wide(op, ty, a, b),
    };
    let (value, flag) = overflowing_wide(op, ty, a, b);
    if flag { Err(trap) } else { Ok(value) }
}

/// The value of an integer's bits. A `U128` above `i128::MAX` becomes the `i128` with the same bits.
pub fn extend(ty: Scalar, bits: u128) -> i128 {
    match ty {
        Scalar::I8 => i128::from(bits as i8),
        Scalar::I16 => i128::from(bits as i16),
        Scalar::I32 => i128::from(bits as i32),
        Scalar::I64 => i128::from(bits as i64),
        Scalar::U8 => i128::from(bits as u8),
        Scalar::U16 => i128::from(bits as u16),
        Scalar::U32 | Scalar::F32 => i128::from(bits as u32),
        Scalar::U64 | Scalar::F64 => i128::from(bits as u64),
        Scalar::I128 | Scalar::U128 => bits as i128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(bin(BinOp::Add, Scalar::U8, 250, 10).map(|v| v as u8), Ok(4));
        assert_eq!(bin(BinOp::Div, Scalar::I32, i32::MIN as u64, -1i64 as u64), Err(Trap::DivOverflow));
        assert_eq!(bin(BinOp::Rem, Scalar::I64, 1, 0), Err(Trap::RemByZero));
        assert_eq!(bin(BinOp::Rem, Scalar::I32, -7i32 as u64, 3).map(|v| v as i32), Ok(-1));
        assert_eq!(bin(BinOp::Shr, Scalar::I32, -8i32 as u64, 33).map(|v| v as i32), Ok(-4));
        assert_eq!(bin(BinOp::Shl, Scalar::U8, 1, 9).map(|v| v as u8), Ok(2));
        assert_eq!(bin(BinOp::Lt, Scalar::I8, 0xff, 0), Ok(1));
        assert_eq!(bin(BinOp::Cmp, Scalar::U64, 1, 2).map(|v| v as i8), Ok(-1));
        let min = i128::MIN as u128;
        assert_eq!(bin_wide(BinOp::Div, Scalar::I128, min, u128::MAX), Err(Trap::DivOverflow));
        assert_eq!(bin_wide(BinOp::Mul, Scalar::U128, 1 << 64, 3), Ok(3 << 64));
    }

    #[test]
    fn overflow() {
        assert_eq!(overflowing(BinOp::Add, Scalar::I8, 127, 1), (i8::MIN as u64, true));
        assert_eq!(checked(BinOp::Sub, Scalar::U32, Scalar::U32, 0, 1), Err(Trap::SubOverflow));
        assert_eq!(checked(BinOp::Shl, Scalar::U32, Scalar::I32, 1, -1i32 as u32 as u128), Err(Trap::ShlOverflow));
        assert_eq!(checked(BinOp::Shl, Scalar::U32, Scalar::U8, 1, 31), Ok(1 << 31));
        assert_eq!(checked(BinOp::Mul, Scalar::I128, Scalar::I128, i128::MAX as u128, 2), Err(Trap::MulOverflow));
    }
}
