//! Functions of the C library that are not quite the machine's models.

use super::Call;
use crate::{
    instance::{InstanceKey, builder::FnBuilder, cx::Cx, program::Gap},
    std_models::{self, roles},
};
use interp::ir::{BinOp, FnId, Instr, Scalar};

pub(super) fn emit<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Gap> {
    let dst = call.dst;
    match call.name {
        // The machine knows the old size and the alignment itself.
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

/// A symbol of the global allocator, as std defines it: the program's own may be built on this function.
fn allocator(cx: &mut Cx<'_, '_>, path: &str) -> Result<FnId, Gap> {
    let func = std_models::function(cx.db(), cx.program.krate, path).ok_or("no allocator")?;
    Ok(cx.instance(InstanceKey::Native(func)))
}
