//! Floats, and the arithmetic of std's intrinsics.

use crate::arith::{bin_wide, overflowing_wide};
use crate::ir::{BinOp, MathOp, Scalar};

macro_rules! float_bin {
    ($name:ident, $t:ty, $bits:ty) => {
        /// A binary operation.
        pub(super) fn $name(op: BinOp, a: $bits, b: $bits) -> u64 {
            let (x, y) = (<$t>::from_bits(a), <$t>::from_bits(b));
            let value = match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                BinOp::Eq => return u64::from(x == y),
                BinOp::Ne => return u64::from(x != y),
                BinOp::Lt => return u64::from(x < y),
                BinOp::Le => return u64::from(x <= y),
                BinOp::Gt => return u64::from(x > y),
                BinOp::Ge => return u64::from(x >= y),
                BinOp::Cmp => return x.partial_cmp(&y).map_or(2, |order| order as i8 as u64),
                BinOp::And => return u64::from(a & b),
                BinOp::Or => return u64::from(a | b),
                BinOp::Xor => return u64::from(a ^ b),
                BinOp::Shl | BinOp::Shr => x,
            };
            // Which NaN an operation on numbers yields is unspecified and differs between hosts; the machine always
            // yields the same one.
            let value = if value.is_nan() && !x.is_nan() && !y.is_nan() { <$t>::NAN } else { value };
            u64::from(value.to_bits())
        }
    };
}

float_bin!(bin32, f32, u32);
float_bin!(bin64, f64, u64);

macro_rules! float_math {
    ($t:ty, $bits:ty, $op:expr, $args:expr) => {{
        let arg = |i: usize| <$t>::from_bits($args.get(i).copied().unwrap_or(0) as $bits);
        let (a, b) = (arg(0), arg(1));
        let value: $t = match $op {
            MathOp::MinNum => a.min(b),
            MathOp::MaxNum => a.max(b),
            MathOp::CopySign => a.copysign(b),
            MathOp::Powi => a.powi($args.get(1).copied().unwrap_or(0) as i32),
            MathOp::Pow => a.powf(b),
            MathOp::Fma => a.mul_add(b, arg(2)),
            MathOp::Sin => a.sin(),
            MathOp::Cos => a.cos(),
            MathOp::Tan => a.tan(),
            MathOp::Asin => a.asin(),
            MathOp::Acos => a.acos(),
            MathOp::Atan => a.atan(),
            MathOp::Atan2 => a.atan2(b),
            MathOp::Sinh => a.sinh(),
            MathOp::Cosh => a.cosh(),
            MathOp::Tanh => a.tanh(),
            MathOp::Asinh => a.asinh(),
            MathOp::Acosh => a.acosh(),
            MathOp::Atanh => a.atanh(),
            MathOp::Exp => a.exp(),
            MathOp::Exp2 => a.exp2(),
            MathOp::ExpM1 => a.exp_m1(),
            MathOp::Ln => a.ln(),
            MathOp::Log10 => a.log10(),
            MathOp::Log2 => a.log2(),
            MathOp::Ln1p => a.ln_1p(),
            MathOp::Cbrt => a.cbrt(),
            MathOp::Hypot => a.hypot(b),
            MathOp::SaturatingAdd => a + b,
            MathOp::SaturatingSub => a - b,
            MathOp::RotateLeft | MathOp::RotateRight => a,
        };
        u128::from(value.to_bits())
    }};
}

/// Other arithmetic. Rotation amounts and the exponent of `Powi` are 32 bits.
pub fn math(op: MathOp, ty: Scalar, args: &[u128]) -> u128 {
    match ty {
        Scalar::F32 => float_math!(f32, u32, op, args),
        Scalar::F64 => float_math!(f64, u64, op, args),
        _ => int_math(op, ty, args),
    }
}

fn int_math(op: MathOp, ty: Scalar, args: &[u128]) -> u128 {
    let arg = |i: usize| args.get(i).copied().unwrap_or(0);
    let (a, b) = (arg(0), arg(1));
    let bits = ty.size() * 8;
    let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
    let rotate = |amount: u32| {
        let (value, amount) = (a & mask, amount % bits);
        if amount == 0 { value } else { (value << amount | value >> (bits - amount)) & mask }
    };
    match op {
        MathOp::SaturatingAdd | MathOp::SaturatingSub => {
            let bin = if op == MathOp::SaturatingAdd { BinOp::Add } else { BinOp::Sub };
            let (value, overflow) = overflowing_wide(bin, ty, a, b);
            match overflow {
                false => value,
                // The exact result has the sign of the left operand.
                true if ty.is_signed() && a >> (bits - 1) & 1 == 1 => 1 << (bits - 1),
                true if ty.is_signed() => mask >> 1,
                true if op == MathOp::SaturatingAdd => mask,
                true => 0,
            }
        }
        MathOp::RotateLeft => rotate(b as u32),
        MathOp::RotateRight => rotate(bits - b as u32 % bits),
        MathOp::MinNum | MathOp::MaxNum => {
            let less = bin_wide(BinOp::Lt, ty, a, b) == Ok(1);
            if less == (op == MathOp::MinNum) { a } else { b }
        }
        _ => a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_ignores_nan() {
        let (nan, one) = (u128::from(f64::NAN.to_bits()), u128::from(1f64.to_bits()));
        assert_eq!(math(MathOp::MinNum, Scalar::F64, &[nan, one]), one);
    }

    #[test]
    fn integers() {
        assert_eq!(math(MathOp::SaturatingAdd, Scalar::I8, &[127, 1]) as i8, 127);
        assert_eq!(math(MathOp::SaturatingSub, Scalar::I8, &[0x80, 1]) as i8, -128);
        assert_eq!(math(MathOp::SaturatingSub, Scalar::U8, &[1, 2]) as u8, 0);
        assert_eq!(math(MathOp::RotateLeft, Scalar::U8, &[0x81, 1]) as u8, 3);
        assert_eq!(math(MathOp::RotateRight, Scalar::U128, &[1, 1]), 1 << 127);
    }
}
