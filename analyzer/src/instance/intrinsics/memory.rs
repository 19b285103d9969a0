//! Sizes, pointers, and copies of memory.

use super::Call;
use crate::{
    instance::{
        builder::FnBuilder,
        cx::Cx,
        place::{self, Dyn},
    },
    types::{Unsupported, pointee},
};
use interp::ir::{BinOp, Instr, Scalar, Slot};

/// Offsets of a type's size and alignment in its vtable.
const VTABLE_SIZE: u32 = 8;
const VTABLE_ALIGN: u32 = 16;

pub(super) fn emit<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    Ok(sizes(cx, b, call)? || pointers(cx, b, call)? || accesses(cx, b, call)?)
}

fn sizes<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    match call.name {
        "size_of" => {
            let size = cx.layout(call.ty(0)?)?.size;
            b.constant(dst, 8, size.into());
        }
        "align_of" => {
            let align = cx.layout(call.ty(0)?)?.align;
            b.constant(dst, 8, align.into());
        }
        "size_of_val" | "align_of_val" => {
            let value = place::pointed_to(cx, call.arg(0)?, call.ty(0)?);
            let (size, align) = place::size_align(cx, b, value.ty, value.meta)?;
            match if call.name == "size_of_val" { size } else { align } {
                Dyn::Const(value) => b.constant(dst, 8, value.into()),
                Dyn::Slot(slot) => b.copy(dst, slot, 8),
            }
        }
        "vtable_size" => b.load(dst, call.arg(0)?, VTABLE_SIZE, 8),
        "vtable_align" => b.load(dst, call.arg(0)?, VTABLE_ALIGN, 8),
        "discriminant_value" => {
            let value = place::pointed_to(cx, call.arg(0)?, call.ty(0)?);
            let to = call.scalar(cx, call.ret)?;
            place::discriminant(cx, b, &value, to, dst)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn pointers<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    match call.name {
        "offset" | "arith_offset" => {
            // `offset` is generic over the pointer, `arith_offset` over the pointee.
            let first = call.ty(0)?;
            let pointee = if call.name == "offset" {
                pointee(first).ok_or("`offset` of a type that is not a pointer")?
            } else {
                first
            };
            let stride = cx.layout(pointee)?.size;
            b.push(Instr::PtrIndex { dst, ptr: call.arg(0)?, index: call.arg(1)?, stride });
        }
        "slice_get_unchecked" => {
            let stride = cx.layout(call.ty(2)?)?.size;
            b.push(Instr::PtrIndex { dst, ptr: call.arg(0)?, index: call.arg(1)?, stride });
        }
        "ptr_offset_from" | "ptr_offset_from_unsigned" => {
            let size = i64::from(call.size(cx, 0)?.max(1));
            let bytes = b.bin(BinOp::Sub, Scalar::I64, call.arg(0)?, call.arg(1)?);
            b.push(Instr::BinImm { op: BinOp::Div, ty: Scalar::I64, dst, a: bytes, imm: size });
        }
        "ptr_mask" => {
            b.push(Instr::Bin { op: BinOp::And, ty: Scalar::U64, dst, a: call.arg(0)?, b: call.arg(1)? });
        }
        "ptr_metadata" => {
            let size = cx.size_align(call.ret)?.0;
            b.copy(dst, call.arg(0)? + 8, size);
        }
        "aggregate_raw_ptr" => {
            let (pointer, meta) = (cx.size_align(call.ret)?.0, call.size(cx, 2)?);
            b.copy(dst, call.arg(0)?, 8);
            b.copy(dst + 8, call.arg(1)?, meta.min(pointer - 8));
        }
        "transmute" | "transmute_unchecked" => {
            let (from, to) = (call.size(cx, 0)?, cx.size_align(call.ret)?.0);
            b.copy(dst, call.arg(0)?, from.min(to));
        }
        "same_bytes" => {
            let from = call.tys.first().copied().ok_or("`transmute` without an argument")?;
            let (from, to) = (cx.size_align(from)?.0, cx.size_align(call.ret)?.0);
            b.copy(dst, call.arg(0)?, from.min(to));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn accesses<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, call: &Call<'_, 'db>) -> Result<bool, Unsupported> {
    let dst = call.dst;
    match call.name {
        "read_via_copy" => {
            let size = call.size(cx, 0)?;
            b.load(dst, call.arg(0)?, 0, size);
        }
        "write_via_move" | "nontemporal_store" => {
            let size = call.size(cx, 0)?;
            b.store(call.arg(0)?, 0, call.arg(1)?, size);
        }
        "write_box_via_move" => {
            // A `Box` starts with its pointer.
            let (size, box_size) = (call.size(cx, 0)?, cx.size_align(call.ret)?.0);
            b.store(call.arg(0)?, 0, call.arg(1)?, size);
            b.copy(dst, call.arg(0)?, box_size);
        }
        "volatile_load" | "unaligned_volatile_load" => {
            if let size @ 1.. = call.size(cx, 0)? {
                b.push(Instr::Load { dst, ptr: call.arg(0)?, offset: 0, size, volatile: true });
            }
        }
        "volatile_store" | "unaligned_volatile_store" => {
            if let size @ 1.. = call.size(cx, 0)? {
                b.push(Instr::Store { ptr: call.arg(0)?, offset: 0, src: call.arg(1)?, size, volatile: true });
            }
        }
        "typed_swap_nonoverlapping" => {
            let (size, align) = cx.size_align(call.ty(0)?)?;
            let (x, y) = (call.arg(0)?, call.arg(1)?);
            let (from_x, from_y) = (b.temp(size, align), b.temp(size, align));
            b.load(from_x, x, 0, size);
            b.load(from_y, y, 0, size);
            b.store(x, 0, from_y, size);
            b.store(y, 0, from_x, size);
        }
        "copy" | "copy_nonoverlapping" => {
            let overlapping = call.name == "copy";
            move_bytes(cx, b, call, call.arg(1)?, call.arg(0)?, overlapping)?;
        }
        "volatile_copy_memory" | "volatile_copy_nonoverlapping_memory" => {
            let overlapping = call.name == "volatile_copy_memory";
            move_bytes(cx, b, call, call.arg(0)?, call.arg(1)?, overlapping)?;
        }
        "write_bytes" | "volatile_set_memory" => {
            let stride = cx.layout(call.ty(0)?)?.size;
            if stride != 0 {
                b.push(Instr::SetBytes { dst: call.arg(0)?, value: call.arg(1)?, count: call.arg(2)?, stride });
            }
        }
        "compare_bytes" => {
            b.push(Instr::CompareBytes { dst, a: call.arg(0)?, b: call.arg(1)?, len: call.arg(2)? });
        }
        "raw_eq" => {
            let size = cx.layout(call.ty(0)?)?.size;
            let (len, order) = (b.const64(size), b.temp(4, 4));
            b.push(Instr::CompareBytes { dst: order, a: call.arg(0)?, b: call.arg(1)?, len });
            b.push(Instr::BinImm { op: BinOp::Eq, ty: Scalar::I32, dst, a: order, imm: 0 });
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn move_bytes<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    call: &Call<'_, 'db>,
    dst: Slot,
    src: Slot,
    overlapping: bool,
) -> Result<(), Unsupported> {
    let stride = cx.layout(call.ty(0)?)?.size;
    if stride != 0 {
        b.push(Instr::MoveBytes { dst, src, count: call.arg(2)?, stride, overlapping });
    }
    Ok(())
}
