//! Unary operators and casts.

use super::extend;
use crate::ir::{Scalar, UnOp};

macro_rules! int_un {
    ($t:ty, $op:expr, $a:expr) => {{
        let a = $a as $t;
        match $op {
            UnOp::Not => (!a) as u128,
            UnOp::NotBool => (a ^ 1) as u128,
            UnOp::Neg => a.wrapping_neg() as u128,
            UnOp::Ctpop => u128::from(a.count_ones()),
            UnOp::Ctlz => u128::from(a.leading_zeros()),
            UnOp::Cttz => u128::from(a.trailing_zeros()),
            UnOp::Bswap => a.swap_bytes() as u128,
            UnOp::Bitreverse => a.reverse_bits() as u128,
            _ => a as u128,
        }
    }};
}

macro_rules! float_un {
    ($t:ty, $bits:ty, $op:expr, $a:expr) => {{
        let a = <$t>::from_bits($a as $bits);
        let value = match $op {
            // Negation also flips the sign bit of a NaN.
            UnOp::Neg => return u128::from(($a as $bits) ^ (1 << (<$bits>::BITS - 1))),
            UnOp::Sqrt => a.sqrt(),
            UnOp::Floor => a.floor(),
            UnOp::Ceil => a.ceil(),
            UnOp::Trunc => a.trunc(),
            UnOp::Round => a.round(),
            UnOp::RoundEven => a.round_ties_even(),
            UnOp::Fabs => a.abs(),
            _ => a,
        };
        u128::from(value.to_bits())
    }};
}

/// A unary operation.
pub fn un(op: UnOp, ty: Scalar, a: u128) -> u128 {
    match ty {
        Scalar::I8 | Scalar::U8 => int_un!(u8, op, a),
        Scalar::I16 | Scalar::U16 => int_un!(u16, op, a),
        Scalar::I32 | Scalar::U32 => int_un!(u32, op, a),
        Scalar::I64 | Scalar::U64 => int_un!(u64, op, a),
        Scalar::I128 | Scalar::U128 => int_un!(u128, op, a),
        Scalar::F32 => float_un!(f32, u32, op, a),
        Scalar::F64 => float_un!(f64, u64, op, a),
    }
}

/// Size of a unary operation's result.
pub fn un_size(op: UnOp, ty: Scalar) -> u32 {
    match op {
        UnOp::Ctpop | UnOp::Ctlz | UnOp::Cttz => 4,
        _ => ty.size(),
    }
}

macro_rules! from_float {
    ($value:expr, $to:expr) => {
        match $to {
            Scalar::I8 => $value as i8 as u128,
            Scalar::I16 => $value as i16 as u128,
            Scalar::I32 => $value as i32 as u128,
            Scalar::I64 => $value as i64 as u128,
            Scalar::I128 => $value as i128 as u128,
            Scalar::U8 => $value as u8 as u128,
            Scalar::U16 => $value as u16 as u128,
            Scalar::U32 => $value as u32 as u128,
            Scalar::U64 => $value as u64 as u128,
            Scalar::U128 => $value as u128,
            Scalar::F32 => u128::from(($value as f32).to_bits()),
            Scalar::F64 => u128::from(($value as f64).to_bits()),
        }
    };
}

/// `as` between scalars.
pub fn cast(from: Scalar, to: Scalar, bits: u128) -> u128 {
    match from {
        Scalar::F32 => from_float!(f32::from_bits(bits as u32), to),
        Scalar::F64 => from_float!(f64::from_bits(bits as u64), to),
        Scalar::U128 => match to {
            Scalar::F32 => u128::from((bits as f32).to_bits()),
            Scalar::F64 => u128::from((bits as f64).to_bits()),
            _ => bits,
        },
        _ => {
            let value = extend(from, bits);
            match to {
                Scalar::F32 => u128::from((value as f32).to_bits()),
                Scalar::F64 => u128::from((value as f64).to_bits()),
                _ => value as u128,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts() {
        assert_eq!(cast(Scalar::I8, Scalar::U64, 0xff) as u64, u64::MAX);
        assert_eq!(cast(Scalar::U8, Scalar::I64, 0xff) as i64, 255);
        assert_eq!(cast(Scalar::F64, Scalar::U8, u128::from(300.7f64.to_bits())) as u8, 255);
        assert_eq!(cast(Scalar::F64, Scalar::I32, u128::from(f64::NAN.to_bits())) as i32, 0);
        assert_eq!(cast(Scalar::F32, Scalar::I128, u128::from(f32::NEG_INFINITY.to_bits())) as i128, i128::MIN);
        assert_eq!(f64::from_bits(cast(Scalar::I32, Scalar::F64, u128::from(-3i32 as u32)) as u64), -3.0);
    }

    #[test]
    fn unary() {
        assert_eq!(un(UnOp::Neg, Scalar::I16, 5) as i16, -5);
        assert_eq!(un(UnOp::Ctlz, Scalar::U16, 1), 15);
        assert_eq!(un(UnOp::Cttz, Scalar::I128, 0), 128);
        assert_eq!(un(UnOp::NotBool, Scalar::U8, 1), 0);
        assert_eq!(f32::from_bits(un(UnOp::Round, Scalar::F32, u128::from(2.5f32.to_bits())) as u32), 3.0);
        assert_eq!(f32::from_bits(un(UnOp::RoundEven, Scalar::F32, u128::from(2.5f32.to_bits())) as u32), 2.0);
    }
}
