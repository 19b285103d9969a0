//! Functions of the C library that differ slightly from the machine's models.

use super::Call;
use crate::{
    instance::{InstanceKey, builder::FnBuilder, cx::Cx},
    std_models::{self, roles},
    types::Unsupported,
};
use interp::ir::{BinOp, FnId, Instr, Scalar};

pub(super) fn emit<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    match call.name {
        // The machine knows the old size and the alignment.
        "libc::realloc" => {
            let func = allocator(cx, roles::REALLOC)?;
            let unused = b.const64(1);
            b.push(Instr::Call { func, args: [call.arg(0)?, unused, unused, call.arg(1)?].into(), dst });
        }
        "libc::posix_memalign" => {
            let func = allocator(cx, roles::ALLOC)?;
            let block = b.temp64();
            b.push(Instr::Call { func, args: [call.arg(2)?, call.arg(1)?].into(), dst: block });
            b.store(call.arg(0)?, 0, block, 8);
            b.constant(dst, 4, 0);
        }
        "libc::abs" => {
            let Ok(ty @ (Scalar::I32 | Scalar::I64)) = call.arg_scalar(cx, 0) else { return Ok(false) };
            let (size, a) = (if ty == Scalar::I32 { 4 } else { 8 }, call.arg(0)?);
            // All ones if the argument is negative.
            let (sign, flipped) = (b.temp(size, size), b.temp(size, size));
            b.push(Instr::BinImm { op: BinOp::Shr, ty, dst: sign, a, imm: i64::from(size) * 8 - 1 });
            b.push(Instr::Bin { op: BinOp::Xor, ty, dst: flipped, a, b: sign });
            b.push(Instr::Bin { op: BinOp::Sub, ty, dst, a: flipped, b: sign });
        }
        "libc::strlen" => {
            let (cursor, byte) = (b.temp64(), b.temp(1, 1));
            b.constant(dst, 8, 0);
            let (again, more, end) = (b.label_here(), b.label(), b.label());
            b.push(Instr::PtrIndex { dst: cursor, ptr: call.arg(0)?, index: dst, stride: 1 });
            b.load(byte, cursor, 0, 1);
            b.branch(byte, more, end);
            b.bind(more);
            b.push(Instr::BinImm { op: BinOp::Add, ty: Scalar::U64, dst, a: dst, imm: 1 });
            b.jump(again);
            b.bind(end);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// An allocator symbol as std defines it; the program's own allocator may call this function.
fn allocator(cx: &mut Cx<'_, '_>, path: &str) -> Result<FnId, Unsupported> {
    let func = std_models::function(cx.db(), cx.program.types.krate, path).ok_or("allocator symbol is missing")?;
    Ok(cx.instance(InstanceKey::Native(func)))
}
