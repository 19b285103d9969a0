//! Places of concrete types: in slots of the frame or in memory.

use super::{builder::FnBuilder, cx::Cx};
use crate::{
    types::{Encoding, Meta, Unsupported, Variants, pointee, tag_mask},
    workarounds::discriminants,
};
use hir_ty::next_solver::{Ty, TyKind};
use interp::ir::{BinOp, Instr, Scalar, Slot};
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// Storage of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In a slot whose address is never taken.
    Slot(Slot),
    /// In the slot of a local whose address is taken: detectors observe its accesses.
    Shared(Slot),
    /// At an offset from the pointer in a slot.
    Mem {
        /// Slot of the pointer.
        ptr: Slot,
        /// Offset from the pointer.
        offset: u32,
    },
}

/// A place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlaceVal<'db> {
    /// Its storage.
    pub at: Storage,
    /// Its type.
    pub ty: Ty<'db>,
    /// The enum variant to which it is downcast; otherwise 0.
    pub variant: u32,
    /// Slot of the pointer metadata, if the type is unsized.
    pub meta: Option<Slot>,
}

/// A value that may be known only at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dyn {
    /// Known.
    Const(u64),
    /// In a `u64` slot.
    Slot(Slot),
}

impl Dyn {
    /// The value in a slot.
    pub fn slot(self, b: &mut FnBuilder) -> Slot {
        match self {
            Dyn::Const(value) => b.const64(value),
            Dyn::Slot(slot) => slot,
        }
    }
}

/// A place in a slot.
pub fn in_slot(slot: Slot, ty: Ty<'_>) -> PlaceVal<'_> {
    PlaceVal { at: Storage::Slot(slot), ty, variant: 0, meta: None }
}

/// The pointee of the (thin or wide) pointer in `slot`.
pub fn pointed_to<'db>(cx: &mut Cx<'_, 'db>, slot: Slot, ty: Ty<'db>) -> PlaceVal<'db> {
    let meta = (cx.meta(ty) != Meta::Thin).then_some(slot + 8);
    PlaceVal { at: Storage::Mem { ptr: slot, offset: 0 }, ty, variant: 0, meta }
}

impl<'db> PlaceVal<'db> {
    fn moved(self, by: u64, ty: Ty<'db>) -> Result<Self, Unsupported> {
        let by = u32::try_from(by).map_err(|_| Unsupported::from("type is too large"))?;
        let at = match self.at {
            Storage::Slot(slot) => Storage::Slot(slot + by),
            Storage::Shared(slot) => Storage::Shared(slot + by),
            Storage::Mem { ptr, offset } => Storage::Mem { ptr, offset: offset + by },
        };
        Ok(PlaceVal { at, ty, variant: 0, meta: None })
    }
}

/// Size of the value at a place.
pub fn size<'db>(cx: &mut Cx<'_, 'db>, place: &PlaceVal<'db>) -> Result<u32, Unsupported> {
    if place.meta.is_some() {
        return Err("use of an unsized value".into());
    }
    cx.layout(place.ty)?.size32()
}

/// Dereferences a reference, raw pointer or `Box`.
pub fn deref<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, place: PlaceVal<'db>) -> Result<PlaceVal<'db>, Unsupported> {
    let Some(inner) = pointee(place.ty) else {
        return Err(Unsupported::from(format!("dereference of `{}`", cx.type_name(place.ty))));
    };
    let inner = cx.normalize(inner);
    // The pointer of a `Box` is the first field of its first field; only the first field's offset can vary.
    let offset = if place.ty.is_box() { cx.layout(place.ty)?.field(0, 0)? } else { 0 };
    let wide = cx.meta(inner) != Meta::Thin;
    let size = if wide { 16 } else { 8 };
    let pointer = place.moved(offset, place.ty)?;
    let slot = match pointer.at {
        Storage::Slot(slot) => slot,
        _ => {
            let slot = b.temp(size, 8);
            read_bytes(b, &pointer, slot, size);
            slot
        }
    };
    Ok(PlaceVal { at: Storage::Mem { ptr: slot, offset: 0 }, ty: inner, variant: 0, meta: wide.then_some(slot + 8) })
}

/// A field, by index in declaration order.
pub fn field<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: PlaceVal<'db>,
    index: u32,
) -> Result<PlaceVal<'db>, Unsupported> {
    let Some(ty) = cx.program.types.field_ty(place.ty, place.variant, index) else {
        return Err(Unsupported::from(format!("field {index} of `{}`", cx.type_name(place.ty))));
    };
    let offset = cx.layout(place.ty)?.field(place.variant, index)?;
    let Some(meta) = place.meta else { return place.moved(offset, ty) };
    match cx.meta(ty) {
        Meta::Thin => place.moved(offset, ty),
        Meta::Len => Ok(PlaceVal { meta: Some(meta), ..place.moved(offset, ty)? }),
        Meta::Vtable if offset == 0 => Ok(PlaceVal { meta: Some(meta), ..place.moved(0, ty)? }),
        Meta::Vtable => {
            // The tail starts at the next multiple of its alignment, which is in the vtable.
            let base = address(cx, b, &PlaceVal { meta: None, ..place });
            let (_, align) = size_align(cx, b, ty, Some(meta))?;
            let align = packed(cx, b, place.ty, align).slot(b);
            let start = b.const64(offset);
            let rounded = round_up(b, start, align);
            let ptr = b.temp64();
            b.push(Instr::PtrIndex { dst: ptr, ptr: base, index: rounded, stride: 1 });
            Ok(PlaceVal { at: Storage::Mem { ptr, offset: 0 }, ty, variant: 0, meta: Some(meta) })
        }
    }
}

/// A field's alignment, reduced to the packing of its struct.
fn packed<'db>(cx: &Cx<'_, 'db>, b: &mut FnBuilder, strukt: Ty<'db>, align: Dyn) -> Dyn {
    match (align, cx.program.types.packing(strukt)) {
        (_, None) => align,
        (Dyn::Const(align), Some(pack)) => Dyn::Const(align.min(pack)),
        (Dyn::Slot(align), Some(pack)) => Dyn::Slot(bounded(b, align, BinOp::Gt, pack)),
    }
}

/// `bound` if the comparison of `value` with it is true, otherwise `value`.
fn bounded(b: &mut FnBuilder, value: Slot, is_beyond: BinOp, bound: u64) -> Slot {
    let result = b.temp64();
    let bound = b.const64(bound);
    b.copy(result, value, 8);
    let beyond = b.bin(is_beyond, Scalar::U64, result, bound);
    let (yes, no) = (b.label(), b.label());
    b.branch(beyond, yes, no);
    b.bind(yes);
    b.copy(result, bound, 8);
    b.bind(no);
    result
}

/// Rounds `value` up to a multiple of `align`, a power of two.
fn round_up(b: &mut FnBuilder, value: Slot, align: Slot) -> Slot {
    let less = b.bin_imm(BinOp::Sub, Scalar::U64, align, 1);
    let sum = b.bin(BinOp::Add, Scalar::U64, value, less);
    let mask = b.temp64();
    b.push(Instr::Un { op: interp::ir::UnOp::Not, ty: Scalar::U64, dst: mask, a: less });
    b.bin(BinOp::And, Scalar::U64, sum, mask)
}

/// Type and stride of the elements of an array or slice.
pub fn element<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>) -> Result<(Ty<'db>, u64), Unsupported> {
    let elem = match ty.kind() {
        TyKind::Array(elem, _) | TyKind::Slice(elem) => elem,
        _ => return Err(Unsupported::from(format!("element of `{}`", cx.type_name(ty)))),
    };
    let elem = cx.normalize(elem);
    let layout = cx.layout(elem)?;
    Ok((elem, layout.size))
}

/// Number of elements of an array or slice.
pub fn len<'db>(cx: &mut Cx<'_, 'db>, place: &PlaceVal<'db>) -> Result<Dyn, Unsupported> {
    match (place.ty.kind(), place.meta) {
        (TyKind::Array(_, len), _) => Ok(Dyn::Const(cx.program.types.array_len(len).ok_or("unknown array length")?)),
        (_, Some(meta)) => Ok(Dyn::Slot(meta)),
        _ => Err(Unsupported::from(format!("length of `{}`", cx.type_name(place.ty)))),
    }
}

/// The element with the index in a slot.
pub fn index<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: PlaceVal<'db>,
    index: Slot,
) -> Result<PlaceVal<'db>, Unsupported> {
    let (elem, stride) = element(cx, place.ty)?;
    let base = address(cx, b, &PlaceVal { meta: None, ..place });
    let ptr = b.temp64();
    b.push(Instr::PtrIndex { dst: ptr, ptr: base, index, stride });
    Ok(PlaceVal { at: Storage::Mem { ptr, offset: 0 }, ty: elem, variant: 0, meta: None })
}

/// The element with a constant index, counted from the start or the end.
pub fn const_index<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: PlaceVal<'db>,
    offset: u64,
    from_end: bool,
) -> Result<PlaceVal<'db>, Unsupported> {
    let (elem, stride) = element(cx, place.ty)?;
    if !from_end {
        return place.moved(offset * stride, elem);
    }
    match len(cx, &place)? {
        Dyn::Const(len) => place.moved(len.saturating_sub(offset + 1) * stride, elem),
        Dyn::Slot(len) => {
            let number = b.bin_imm(BinOp::Sub, Scalar::U64, len, offset as i64 + 1);
            index(cx, b, place, number)
        }
    }
}

/// The place without the first `from` and the last `to` elements.
pub fn subslice<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: PlaceVal<'db>,
    from: u64,
    to: u64,
) -> Result<PlaceVal<'db>, Unsupported> {
    let (elem, stride) = element(cx, place.ty)?;
    match len(cx, &place)? {
        Dyn::Const(len) => {
            let rest = len.saturating_sub(from + to);
            let ty = Ty::new_array(cx.interner(), elem, rest);
            place.moved(from * stride, ty)
        }
        Dyn::Slot(len) => {
            let rest = b.bin_imm(BinOp::Sub, Scalar::U64, len, (from + to) as i64);
            Ok(PlaceVal { meta: Some(rest), ..place.moved(from * stride, place.ty)? })
        }
    }
}

/// The address of a place in a new slot: 8 bytes, or 16 if the place is unsized.
pub fn address(_cx: &mut Cx<'_, '_>, b: &mut FnBuilder, place: &PlaceVal<'_>) -> Slot {
    if let (Storage::Mem { ptr, offset: 0 }, meta) = (place.at, place.meta)
        && meta.is_none_or(|meta| meta == ptr + 8)
    {
        return ptr;
    }
    let dst = b.temp(16, 8);
    match place.at {
        Storage::Slot(slot) | Storage::Shared(slot) => {
            b.push(Instr::AddrOf { dst, slot });
        }
        Storage::Mem { ptr, offset: 0 } => b.copy(dst, ptr, 8),
        Storage::Mem { ptr, offset } => {
            b.push(Instr::PtrAdd { dst, ptr, offset: offset.into() });
        }
    }
    if let Some(meta) = place.meta {
        b.copy(dst + 8, meta, 8);
    }
    dst
}

/// Copies the first `size` bytes at a place to a slot.
pub fn read_bytes(b: &mut FnBuilder, place: &PlaceVal<'_>, dst: Slot, size: u32) {
    if size == 0 {
        return;
    }
    match place.at {
        Storage::Slot(src) => b.copy(dst, src, size),
        Storage::Shared(src) => {
            b.push(Instr::LocalRead { dst, src, size });
        }
        Storage::Mem { ptr, offset } => b.load(dst, ptr, offset, size),
    }
}

/// Copies `size` bytes from a slot to a place.
pub fn write_bytes(b: &mut FnBuilder, place: &PlaceVal<'_>, src: Slot, size: u32) {
    if size == 0 {
        return;
    }
    match place.at {
        Storage::Slot(dst) => b.copy(dst, src, size),
        Storage::Shared(dst) => {
            b.push(Instr::LocalWrite { dst, src, size });
        }
        Storage::Mem { ptr, offset } => b.store(ptr, offset, src, size),
    }
}

/// The slot with the value at a place: the place's own slot if it has one.
pub fn read<'db>(cx: &mut Cx<'_, 'db>, b: &mut FnBuilder, place: &PlaceVal<'db>) -> Result<Slot, Unsupported> {
    if place.meta.is_some() {
        return Ok(address(cx, b, place));
    }
    let layout = cx.layout(place.ty)?;
    let size = layout.size32()?;
    if let Storage::Slot(slot) = place.at {
        return Ok(slot);
    }
    let dst = b.temp(size, layout.align32());
    read_bytes(b, place, dst, size);
    Ok(dst)
}

/// Copies a value between places.
pub fn copy<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    dst: &PlaceVal<'db>,
    src: &PlaceVal<'db>,
) -> Result<(), Unsupported> {
    let size = size(cx, src)?;
    if size == 0 {
        return Ok(());
    }
    match (dst.at, src.at) {
        (Storage::Mem { ptr, offset }, Storage::Mem { ptr: from, offset: from_offset }) if size > 16 => {
            b.push(Instr::CopyMem { dst: ptr, dst_offset: offset, src: from, src_offset: from_offset, size });
        }
        (Storage::Slot(slot), _) => read_bytes(b, src, slot, size),
        _ => {
            let slot = read(cx, b, src)?;
            write_bytes(b, dst, slot, size);
        }
    }
    Ok(())
}

/// `size_of_val` and `align_of_val` of a type with its metadata in a slot.
pub fn size_align<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    ty: Ty<'db>,
    meta: Option<Slot>,
) -> Result<(Dyn, Dyn), Unsupported> {
    let kind = cx.meta(ty);
    let (Some(meta), true) = (meta, kind != Meta::Thin) else {
        let layout = cx.layout(ty)?;
        return Ok((Dyn::Const(layout.size), Dyn::Const(layout.align)));
    };
    match ty.kind() {
        TyKind::Str => Ok((Dyn::Slot(meta), Dyn::Const(1))),
        TyKind::Slice(_) => {
            let (elem, stride) = element(cx, ty)?;
            let align = cx.layout(elem)?.align;
            let size = b.bin_imm(BinOp::Mul, Scalar::U64, meta, stride as i64);
            Ok((Dyn::Slot(size), Dyn::Const(align)))
        }
        TyKind::Dynamic(..) => {
            let size = b.temp64();
            b.load(size, meta, 8, 8);
            let align = b.temp64();
            b.load(align, meta, 16, 8);
            Ok((Dyn::Slot(size), Dyn::Slot(align)))
        }
        _ => {
            let layout = cx.layout(ty)?;
            let fields = cx.program.types.fields(ty, 0);
            let last = fields.len().checked_sub(1).ok_or("unsized type without fields")?;
            let start = layout.field(0, last as u32)?;
            let (tail_size, tail_align) = size_align(cx, b, fields[last], Some(meta))?;
            let tail_align = packed(cx, b, ty, tail_align);
            let align = match tail_align {
                Dyn::Const(align) => Dyn::Const(align.max(layout.align)),
                Dyn::Slot(tail) => Dyn::Slot(bounded(b, tail, BinOp::Lt, layout.align)),
            };
            let start = match tail_align {
                Dyn::Const(tail) => Dyn::Const(start.next_multiple_of(tail.max(1))),
                Dyn::Slot(tail) => {
                    let start = b.const64(start);
                    Dyn::Slot(round_up(b, start, tail))
                }
            };
            let (start, tail_size) = (start.slot(b), tail_size.slot(b));
            let end = b.bin(BinOp::Add, Scalar::U64, start, tail_size);
            let align_slot = align.slot(b);
            Ok((Dyn::Slot(round_up(b, end, align_slot)), align))
        }
    }
}

/// Sets the variant of an enum place; its fields are written separately.
pub fn set_variant<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: PlaceVal<'db>,
    variant: u32,
) -> Result<(), Unsupported> {
    let layout = cx.layout(place.ty)?;
    let Variants::Multiple { offset, size, encoding, .. } = &layout.variants else { return Ok(()) };
    let tag = match encoding {
        Encoding::Direct(values) => values.get(variant as usize).copied().unwrap_or(variant.into()),
        Encoding::Niche { untagged, .. } if *untagged == variant => return Ok(()),
        Encoding::Niche { first, start, .. } => {
            start.wrapping_add(u128::from(variant).wrapping_sub(u128::from(*first))) & tag_mask(*size)
        }
    };
    let tag_place = place.moved(*offset, place.ty)?;
    match tag_place.at {
        Storage::Slot(slot) => b.constant(slot, *size, tag),
        _ => {
            let slot = b.temp(*size, *size);
            b.constant(slot, *size, tag);
            write_bytes(b, &tag_place, slot, *size);
        }
    }
    Ok(())
}

/// The slot with the tag of an enum place.
pub fn tag<'db>(b: &mut FnBuilder, place: &PlaceVal<'db>, offset: u64, size: u32) -> Result<Slot, Unsupported> {
    let place = PlaceVal { meta: None, ..*place }.moved(offset, place.ty)?;
    if let Storage::Slot(slot) = place.at {
        return Ok(slot);
    }
    let slot = b.temp(size, size);
    read_bytes(b, &place, slot, size);
    Ok(slot)
}

/// Unsigned scalar with this size.
pub fn unsigned(size: u32) -> Scalar {
    match size {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        8 => Scalar::U64,
        _ => Scalar::U128,
    }
}

/// Signed scalar with this size.
pub fn signed(size: u32) -> Scalar {
    match size {
        1 => Scalar::I8,
        2 => Scalar::I16,
        4 => Scalar::I32,
        8 => Scalar::I64,
        _ => Scalar::I128,
    }
}

/// Writes the discriminant of an enum place to `dst` as a scalar of kind `to`; 0 for other types.
pub fn discriminant<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: &PlaceVal<'db>,
    to: Scalar,
    dst: Slot,
) -> Result<(), Unsupported> {
    let layout = cx.layout(place.ty)?;
    match &layout.variants {
        Variants::Empty => b.constant(dst, to.size(), 0),
        Variants::Single(index) => {
            let value = match place.ty.as_adt() {
                Some((hir_def::AdtId::EnumId(id), _)) => {
                    let variants = id.enum_variants(cx.db());
                    let variant = variants.variants.values().nth(*index as usize).map(|&(variant, _)| variant);
                    variant
                        .and_then(|variant| discriminants::of_variant(cx.db(), variant))
                        .ok_or("unknown discriminant")?
                }
                _ => 0,
            };
            b.constant(dst, to.size(), value as u128);
        }
        Variants::Multiple { offset, size, signed: sign, encoding, .. } => {
            let tag = tag(b, place, *offset, *size)?;
            let kind = if *sign { signed(*size) } else { unsigned(*size) };
            match encoding {
                Encoding::Direct(_) => {
                    b.push(Instr::Cast { from: kind, to, dst, a: tag });
                }
                Encoding::Niche { untagged, first, last, start } => {
                    let kind = unsigned(*size);
                    let base = b.temp(*size, *size);
                    b.constant(base, *size, start.wrapping_sub(u128::from(*first)) & tag_mask(*size));
                    let index = b.bin(BinOp::Sub, kind, tag, base);
                    let low = b.temp(*size, *size);
                    b.constant(low, *size, (*start) & tag_mask(*size));
                    let relative = b.bin(BinOp::Sub, kind, tag, low);
                    let count = b.temp(*size, *size);
                    b.constant(count, *size, u128::from(last - first));
                    let inside = b.bin(BinOp::Le, kind, relative, count);
                    let (yes, no, end) = (b.label(), b.label(), b.label());
                    b.branch(inside, yes, no);
                    b.bind(yes);
                    b.push(Instr::Cast { from: kind, to, dst, a: index });
                    b.jump(end);
                    b.bind(no);
                    b.constant(dst, to.size(), u128::from(*untagged));
                    b.bind(end);
                }
            }
        }
    }
    Ok(())
}

use ra_ap_hir_def as hir_def;
