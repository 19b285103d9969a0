//! Integers and floats.

use super::Call;
use crate::{
    instance::{builder::FnBuilder, cx::Cx},
    types::Unsupported,
};
use interp::ir::{BinOp, Instr, MathOp, Scalar, Slot, UnOp};

pub(super) fn emit<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    if integer(cx, b, call)? {
        return Ok(true);
    }
    // `sqrtf32`, `round_ties_even_f64`, and libm's functions, whose names start with `libm::`.
    let (name, ty) = if let Some(name) = call.name.strip_prefix("libm::") {
        match call.arg_scalar(cx, 0) {
            Ok(ty @ (Scalar::F32 | Scalar::F64)) => (name, ty),
            // A function called `log` need not be libm's.
            _ => return Ok(false),
        }
    } else if let Some(name) = call.name.strip_suffix("f32") {
        (name, Scalar::F32)
    } else if let Some(name) = call.name.strip_suffix("f64") {
        (name, Scalar::F64)
    } else {
        return Ok(false);
    };
    float(b, call, name, ty)
}

fn integer<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    let name = call.name;
    match name {
        "wrapping_add" | "unchecked_add" | "fadd_fast" | "fadd_algebraic" => bin(cx, b, call, BinOp::Add)?,
        "wrapping_sub" | "unchecked_sub" | "fsub_fast" | "fsub_algebraic" => bin(cx, b, call, BinOp::Sub)?,
        "wrapping_mul" | "unchecked_mul" | "fmul_fast" | "fmul_algebraic" => bin(cx, b, call, BinOp::Mul)?,
        "unchecked_div" | "exact_div" | "fdiv_fast" | "fdiv_algebraic" => bin(cx, b, call, BinOp::Div)?,
        "unchecked_rem" | "frem_fast" | "frem_algebraic" => bin(cx, b, call, BinOp::Rem)?,
        "disjoint_bitor" => bin(cx, b, call, BinOp::Or)?,
        "three_way_compare" => bin(cx, b, call, BinOp::Cmp)?,
        "unchecked_shl" | "unchecked_shr" => {
            let op = if name == "unchecked_shl" { BinOp::Shl } else { BinOp::Shr };
            let ty = call.arg_scalar(cx, 0)?;
            let from = call.arg_scalar(cx, 1)?;
            let mut shift = call.arg(1)?;
            if from != Scalar::U32 {
                let wide = b.temp(4, 4);
                b.push(Instr::Cast { from, to: Scalar::U32, dst: wide, a: shift });
                shift = wide;
            }
            b.push(Instr::Bin { op, ty, dst, a: call.arg(0)?, b: shift });
        }
        "add_with_overflow" | "sub_with_overflow" | "mul_with_overflow" => {
            let op = match name {
                "add_with_overflow" => BinOp::Add,
                "sub_with_overflow" => BinOp::Sub,
                _ => BinOp::Mul,
            };
            let ty = call.arg_scalar(cx, 0)?;
            let pair = cx.layout(call.ret)?;
            let (value, flag) = (dst + pair.field(0, 0)? as u32, dst + pair.field(0, 1)? as u32);
            b.push(Instr::Overflowing { op, ty, dst: value, flag, a: call.arg(0)?, b: call.arg(1)? });
        }
        "saturating_add" => math(cx, b, call, MathOp::SaturatingAdd)?,
        "saturating_sub" => math(cx, b, call, MathOp::SaturatingSub)?,
        "rotate_left" => math(cx, b, call, MathOp::RotateLeft)?,
        "rotate_right" => math(cx, b, call, MathOp::RotateRight)?,
        "ctpop" => un(cx, b, call, UnOp::Ctpop)?,
        "ctlz" | "ctlz_nonzero" => un(cx, b, call, UnOp::Ctlz)?,
        "cttz" | "cttz_nonzero" => un(cx, b, call, UnOp::Cttz)?,
        "bswap" => un(cx, b, call, UnOp::Bswap)?,
        "bitreverse" => un(cx, b, call, UnOp::Bitreverse)?,
        "float_to_int_unchecked" => {
            let from = call.arg_scalar(cx, 0)?;
            let to = call.scalar(cx, call.ret)?;
            b.push(Instr::Cast { from, to, dst, a: call.arg(0)? });
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn bin<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>, op: BinOp) -> Result<(), Unsupported> {
    let ty = call.arg_scalar(cx, 0)?;
    b.push(Instr::Bin { op, ty, dst: call.dst, a: call.arg(0)?, b: call.arg(1)? });
    Ok(())
}

fn un<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>, op: UnOp) -> Result<(), Unsupported> {
    let ty = call.arg_scalar(cx, 0)?;
    b.push(Instr::Un { op, ty, dst: call.dst, a: call.arg(0)? });
    Ok(())
}

fn math<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>, op: MathOp) -> Result<(), Unsupported> {
    let ty = call.arg_scalar(cx, 0)?;
    b.push(Instr::Math { op, ty, dst: call.dst, args: call.args.into() });
    Ok(())
}

/// A float function, by its name without the type suffix.
fn float(b: &mut FnBuilder, call: &Call<'_, '_>, name: &str, ty: Scalar) -> Result<bool, Unsupported> {
    let dst: Slot = call.dst;
    let unary = match name {
        "sqrt" => Some(UnOp::Sqrt),
        "floor" => Some(UnOp::Floor),
        "ceil" => Some(UnOp::Ceil),
        "trunc" => Some(UnOp::Trunc),
        "round" => Some(UnOp::Round),
        "round_ties_even_" => Some(UnOp::RoundEven),
        "fabs" => Some(UnOp::Fabs),
        _ => None,
    };
    if let Some(op) = unary {
        b.push(Instr::Un { op, ty, dst, a: call.arg(0)? });
        return Ok(true);
    }
    let op = match name {
        // `fmuladd` may round once or twice.
        "fma" | "fmuladd" => MathOp::Fma,
        "minnum" => MathOp::MinNum,
        "maxnum" => MathOp::MaxNum,
        "copysign" => MathOp::CopySign,
        "powi" => MathOp::Powi,
        "pow" => MathOp::Pow,
        "sin" => MathOp::Sin,
        "cos" => MathOp::Cos,
        "tan" => MathOp::Tan,
        "asin" => MathOp::Asin,
        "acos" => MathOp::Acos,
        "atan" => MathOp::Atan,
        "atan2" => MathOp::Atan2,
        "sinh" => MathOp::Sinh,
        "cosh" => MathOp::Cosh,
        "tanh" => MathOp::Tanh,
        "exp" => MathOp::Exp,
        "exp2" => MathOp::Exp2,
        "expm1" => MathOp::ExpM1,
        "log" => MathOp::Ln,
        "log10" => MathOp::Log10,
        "log2" => MathOp::Log2,
        "log1p" => MathOp::Ln1p,
        "cbrt" => MathOp::Cbrt,
        "hypot" => MathOp::Hypot,
        _ => return Ok(false),
    };
    b.push(Instr::Math { op, ty, dst, args: call.args.into() });
    Ok(true)
}
