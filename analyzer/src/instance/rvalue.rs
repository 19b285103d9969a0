//! Right-hand sides of assignments.

use super::{
    GlobalKey,
    builder::FnBuilder,
    cast,
    codegen::Fx,
    place::{self, PlaceVal, Storage},
};
use crate::{
    ir::{self, Aggregate, Operand, Rvalue},
    types::Unsupported,
};
use hir_def::{Lookup, VariantId};
use hir_ty::next_solver::{Ty, TyKind};
use interp::ir::{BinOp, Instr, Scalar, Slot, UnOp};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// `dest = rvalue`.
pub fn assign<'db>(fx: &mut Fx<'_, '_, 'db>, dest: &PlaceVal<'db>, rvalue: &Rvalue) -> Result<(), Unsupported> {
    match rvalue {
        Rvalue::Use(Operand::Use(src)) => {
            let src = fx.place(src)?;
            if let (Storage::Mem { ptr, offset: 0 }, Some(_), Some(_)) = (dest.at, dest.meta, src.meta) {
                let address = place::address(&mut fx.cx, &mut fx.b, &src);
                fx.b.copy(ptr, address, 16);
                return Ok(());
            }
            return place::copy(&mut fx.cx, &mut fx.b, dest, &src);
        }
        Rvalue::Aggregate(kind, ops) => return aggregate(fx, dest, kind, ops),
        Rvalue::Repeat(op) => return repeat(fx, dest, op),
        Rvalue::Unknown(gap) => {
            let cause = fx.body.gaps.get(*gap as usize).map_or("unsupported code", |gap| &*gap.cause).to_owned();
            return fx.unknown(dest, &cause);
        }
        Rvalue::Use(Operand::Const(ir::Const::Int(value, _))) if let Storage::Slot(slot) = dest.at => {
            let size = place::size(&mut fx.cx, dest)?;
            if size <= 16 {
                fx.b.constant(slot, size, *value);
                return Ok(());
            }
        }
        _ => {}
    }
    let (size, align) = fx.cx.size_align(dest.ty)?;
    let dst = match dest.at {
        Storage::Slot(slot) => slot,
        _ => fx.b.temp(size, align),
    };
    compute(fx, rvalue, dst, dest.ty)?;
    if !matches!(dest.at, Storage::Slot(_)) {
        place::write_bytes(&mut fx.b, dest, dst, size);
    }
    Ok(())
}

fn compute<'db>(fx: &mut Fx<'_, '_, 'db>, rvalue: &Rvalue, dst: Slot, ty: Ty<'db>) -> Result<(), Unsupported> {
    match rvalue {
        Rvalue::Use(op) => {
            let (src, from) = fx.operand(op)?;
            let size = fx.cx.layout(from)?.size32()?;
            fx.b.copy(dst, src, size);
        }
        Rvalue::Ref(place) => {
            let place = fx.place(place)?;
            let size = if place.meta.is_some() { 16 } else { 8 };
            let src = place::address(&mut fx.cx, &mut fx.b, &place);
            fx.b.copy(dst, src, size);
        }
        Rvalue::Static(id) => {
            let global = fx.cx.program.global_id(GlobalKey::Static(*id));
            fx.b.push(Instr::GlobalAddr { dst, global });
        }
        Rvalue::Promoted(index) => {
            let global = fx.cx.program.global_id(GlobalKey::Promoted(fx.key.clone(), *index));
            fx.b.push(Instr::GlobalAddr { dst, global });
        }
        Rvalue::Bin(op, left, right) => binary(fx, *op, left, right, dst, false)?,
        Rvalue::Checked(op, left, right) => {
            let checks = fx.cx.checks;
            binary(fx, *op, left, right, dst, checks)?;
        }
        Rvalue::Not(op) => {
            let (a, ty) = fx.operand(op)?;
            let kind = scalar(fx, ty)?;
            let op = if ty.is_bool() { UnOp::NotBool } else { UnOp::Not };
            fx.b.push(Instr::Un { op, ty: kind, dst, a });
        }
        Rvalue::Neg(op) => {
            let (a, ty) = fx.operand(op)?;
            let kind = scalar(fx, ty)?;
            if fx.cx.checks && kind.is_signed() {
                fx.b.push(Instr::CheckedNeg { ty: kind, dst, a });
            } else {
                fx.b.push(Instr::Un { op: UnOp::Neg, ty: kind, dst, a });
            }
        }
        Rvalue::Cast(op, to) => {
            let to = fx.cx.subst(to);
            let (src, from) = fx.operand(op)?;
            cast::cast(&mut fx.cx, &mut fx.b, src, from, to, dst)?;
        }
        Rvalue::Unsize(op, to) => {
            let to = fx.cx.subst(to);
            let (src, from) = fx.operand(op)?;
            cast::unsize(&mut fx.cx, &mut fx.b, src, from, dst, to)?;
        }
        Rvalue::FnPtr(op, _) => {
            let (src, from) = fx.operand(op)?;
            cast::fn_pointer(&mut fx.cx, &mut fx.b, src, from, dst)?;
        }
        Rvalue::Len(place) => {
            let place = fx.place(place)?;
            let len = place::len(&mut fx.cx, &place)?.slot(&mut fx.b);
            fx.b.copy(dst, len, 8);
        }
        Rvalue::Discriminant(place) => {
            let place = fx.place(place)?;
            let to = scalar(fx, ty)?;
            place::discriminant(&mut fx.cx, &mut fx.b, &place, to, dst)?;
        }
        Rvalue::OffsetOf(container, path) => {
            let mut ty = fx.cx.subst(container);
            let mut offset = 0;
            for &(variant, field) in path {
                offset += fx.cx.layout(ty)?.field(variant, field)?;
                ty = fx.cx.program.types.field_ty(ty, variant, field).ok_or("offset of a missing field")?;
            }
            fx.b.constant(dst, 8, offset.into());
        }
        Rvalue::Aggregate(..) | Rvalue::Repeat(_) | Rvalue::Unknown(_) => {
            return Err("unexpected right-hand side".into());
        }
    }
    Ok(())
}

/// Scalar kind of a type that must have one.
pub fn scalar<'db>(fx: &mut Fx<'_, '_, 'db>, ty: Ty<'db>) -> Result<Scalar, Unsupported> {
    match fx.cx.scalar_of(ty) {
        Some(kind) => Ok(kind),
        None => Err(Unsupported::from(format!("arithmetic on `{}`", fx.cx.type_name(ty)))),
    }
}

fn machine_op(op: ir::BinOp) -> BinOp {
    match op {
        ir::BinOp::Add => BinOp::Add,
        ir::BinOp::Sub => BinOp::Sub,
        ir::BinOp::Mul => BinOp::Mul,
        ir::BinOp::Div => BinOp::Div,
        ir::BinOp::Rem => BinOp::Rem,
        ir::BinOp::And => BinOp::And,
        ir::BinOp::Or => BinOp::Or,
        ir::BinOp::Xor => BinOp::Xor,
        ir::BinOp::Shl => BinOp::Shl,
        ir::BinOp::Shr => BinOp::Shr,
        ir::BinOp::Eq => BinOp::Eq,
        ir::BinOp::Ne => BinOp::Ne,
        ir::BinOp::Lt => BinOp::Lt,
        ir::BinOp::Le => BinOp::Le,
        ir::BinOp::Gt => BinOp::Gt,
        ir::BinOp::Ge => BinOp::Ge,
    }
}

/// A constant right operand as a sign-extended immediate.
fn immediate(op: &Operand, kind: Scalar) -> Option<i64> {
    let Operand::Const(ir::Const::Int(value, _)) = op else { return None };
    let bits = kind.size() * 8;
    if kind.is_float() {
        return None;
    }
    let value = if bits < 128 && kind.is_signed() {
        (*value as i128) << (128 - bits) >> (128 - bits)
    } else if bits < 128 {
        (*value & ((1 << bits) - 1)) as i128
    } else {
        *value as i128
    };
    match kind {
        // Sign extension to 64 bits keeps these bits.
        Scalar::U64 => Some(value as u64 as i64),
        Scalar::U128 if value < 0 => None,
        _ => i64::try_from(value).ok(),
    }
}

fn binary<'db>(
    fx: &mut Fx<'_, '_, 'db>,
    op: ir::BinOp,
    left: &Operand,
    right: &Operand,
    dst: Slot,
    checked: bool,
) -> Result<(), Unsupported> {
    let (a, ty) = fx.operand(left)?;
    let op = machine_op(op);
    let Some(kind) = fx.cx.scalar_of(ty) else {
        let (other, _) = fx.operand(right)?;
        return compare_wide(fx, op, a, other, ty, dst);
    };
    let can_overflow = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr);
    let checked = checked && can_overflow && !kind.is_float();
    let shift = matches!(op, BinOp::Shl | BinOp::Shr);
    if let Some(imm) = immediate(right, if shift { Scalar::I64 } else { kind }) {
        fx.b.push(match checked {
            true => Instr::CheckedImm { op, ty: kind, dst, a, imm },
            false => Instr::BinImm { op, ty: kind, dst, a, imm },
        });
        return Ok(());
    }
    let (b, right_ty) = fx.operand(right)?;
    if checked {
        let rhs = scalar(fx, right_ty)?;
        fx.b.push(Instr::Checked { op, ty: kind, rhs, dst, a, b });
    } else if shift {
        let from = scalar(fx, right_ty)?;
        let by = fx.b.temp(4, 4);
        fx.b.push(Instr::Cast { from, to: Scalar::U32, dst: by, a: b });
        fx.b.push(Instr::Bin { op, ty: kind, dst, a, b: by });
    } else {
        fx.b.push(Instr::Bin { op, ty: kind, dst, a, b });
    }
    Ok(())
}

/// Comparisons of wide pointers, and of zero-sized values.
fn compare_wide<'db>(
    fx: &mut Fx<'_, '_, 'db>,
    op: BinOp,
    a: Slot,
    other: Slot,
    ty: Ty<'db>,
    dst: Slot,
) -> Result<(), Unsupported> {
    let size = fx.cx.layout(ty)?.size32()?;
    if size == 0 {
        fx.b.constant(dst, 1, matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge).into());
        return Ok(());
    }
    if size != 16 || !matches!(ty.kind(), TyKind::Ref(..) | TyKind::RawPtr(..)) {
        return Err(Unsupported::from(format!("built-in operator on `{}`", fx.cx.type_name(ty))));
    }
    let b = &mut fx.b;
    match op {
        BinOp::Eq | BinOp::Ne => {
            let first = b.bin(op, Scalar::U64, a, other);
            let second = b.bin(op, Scalar::U64, a + 8, other + 8);
            let both = if op == BinOp::Eq { BinOp::And } else { BinOp::Or };
            b.push(Instr::Bin { op: both, ty: Scalar::U8, dst, a: first, b: second });
        }
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => lexicographic(b, op, a, other, dst),
        _ => return Err("arithmetic on wide pointers".into()),
    }
    Ok(())
}

fn lexicographic(b: &mut FnBuilder, op: BinOp, a: Slot, other: Slot, dst: Slot) {
    let same = b.bin(BinOp::Eq, Scalar::U64, a, other);
    let (yes, no, end) = (b.label(), b.label(), b.label());
    b.branch(same, yes, no);
    b.bind(yes);
    b.push(Instr::Bin { op, ty: Scalar::U64, dst, a: a + 8, b: other + 8 });
    b.jump(end);
    b.bind(no);
    b.push(Instr::Bin { op, ty: Scalar::U64, dst, a, b: other });
    b.bind(end);
}

/// Index of a variant in its enum.
pub fn variant_index(fx: &Fx<'_, '_, '_>, variant: VariantId) -> u32 {
    match variant {
        VariantId::EnumVariantId(id) => id.lookup(fx.cx.db()).index(fx.cx.db()) as u32,
        _ => 0,
    }
}

fn aggregate<'db>(
    fx: &mut Fx<'_, '_, 'db>,
    dest: &PlaceVal<'db>,
    kind: &Aggregate,
    ops: &[Operand],
) -> Result<(), Unsupported> {
    let layout = fx.cx.layout(dest.ty)?;
    let (size, align) = (layout.size32()?, layout.align32());
    let mut values = Vec::with_capacity(ops.len());
    for op in ops {
        values.push(fx.operand(op)?);
    }
    // Fields are written one by one, so values read from the destination need a temporary.
    let overlaps = match dest.at {
        Storage::Slot(base) => values.iter().any(|&(slot, _)| slot >= base && slot < base + size),
        _ => false,
    };
    let target = if overlaps { place::in_slot(fx.b.temp(size, align), dest.ty) } else { *dest };
    let variant = match kind {
        Aggregate::Variant(id) => variant_index(fx, *id),
        _ => 0,
    };
    let whole = PlaceVal { variant, ..target };
    for (index, &(src, ty)) in values.iter().enumerate() {
        let index = match kind {
            Aggregate::Union(_, field) => *field,
            _ => index as u32,
        };
        let (cx, b) = (&mut fx.cx, &mut fx.b);
        let part = match whole.ty.kind() {
            TyKind::Array(..) => place::const_index(cx, b, whole, index.into(), false)?,
            _ => place::field(cx, b, whole, index)?,
        };
        // Copy the size of the value's type; if it differs from the field's, the remaining bytes of the field keep
        // their value.
        let size = cx.layout(ty)?.size32()?.min(place::size(cx, &part)?);
        place::write_bytes(b, &part, src, size);
    }
    if matches!(kind, Aggregate::Variant(VariantId::EnumVariantId(_))) {
        place::set_variant(&mut fx.cx, &mut fx.b, whole, variant)?;
    }
    if let Some(handle) = layout.handle {
        start_coroutine(fx, &whole, handle);
    }
    if overlaps {
        place::copy(&mut fx.cx, &mut fx.b, dest, &target)?;
    }
    Ok(())
}

/// Sets the handle word of a new coroutine to "not started".
fn start_coroutine<'db>(fx: &mut Fx<'_, '_, 'db>, coroutine: &PlaceVal<'db>, handle: u64) {
    let zero = fx.b.const64(0);
    let at = match coroutine.at {
        Storage::Slot(slot) => Storage::Slot(slot + handle as u32),
        Storage::Shared(slot) => Storage::Shared(slot + handle as u32),
        Storage::Mem { ptr, offset } => Storage::Mem { ptr, offset: offset + handle as u32 },
    };
    place::write_bytes(&mut fx.b, &PlaceVal { at, ..*coroutine }, zero, 8);
}

fn repeat<'db>(fx: &mut Fx<'_, '_, 'db>, dest: &PlaceVal<'db>, op: &Operand) -> Result<(), Unsupported> {
    let (_, stride) = place::element(&mut fx.cx, dest.ty)?;
    let size = place::size(&mut fx.cx, dest)?;
    let (value, _) = fx.operand(op)?;
    if size == 0 {
        return Ok(());
    }
    let stride = stride as u32;
    let zero = matches!(op, Operand::Const(ir::Const::Int(0, _)));
    match dest.at {
        Storage::Slot(slot) if zero => {
            fx.b.push(Instr::Zero { dst: slot, size });
        }
        // Each copy doubles the number of written elements.
        Storage::Slot(slot) => {
            fx.b.copy(slot, value, stride);
            let mut filled = stride;
            while filled < size {
                let next = filled.min(size - filled);
                fx.b.push(Instr::Copy { dst: slot + filled, src: slot, size: next });
                filled += next;
            }
        }
        _ => {
            let ptr = place::address(&mut fx.cx, &mut fx.b, dest);
            fx.b.store(ptr, 0, value, stride);
            let mut filled = stride;
            while filled < size {
                let next = filled.min(size - filled);
                fx.b.push(Instr::CopyMem { dst: ptr, dst_offset: filled, src: ptr, src_offset: 0, size: next });
                filled += next;
            }
        }
    }
    Ok(())
}
