//! Layouts for the machine's fast bodies. If a layout differs from what a fast body expects, the real body is used.

use super::{Native, lookup};
use crate::types::{Encoding, TyLayout, TypeCx, Variants, pointee, tag_mask};
use hir_def::{AdtId, FunctionId, signatures::StructSignature};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::ir::ModelId;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// The fast body of a function, and its constants.
pub fn fast<'db>(cx: &mut TypeCx<'db>, func: FunctionId, args: GenericArgs<'db>) -> Option<(ModelId, Box<[u64]>)> {
    let Native::Fast(name) = lookup(cx.db, func)? else { return None };
    let interner = cx.interner;
    let sig = cx.db.callable_item_signature(func.into()).instantiate(interner, args).skip_norm_wip();
    let sig = interner.instantiate_bound_regions_with_erased(sig);
    let first = sig.inputs().first().map(|first| cx.normalize(*first));
    let output = cx.normalize(sig.output());
    let consts = match *name {
        "sip_write" | "sip_finish" => sip(cx, first?)?,
        "utf8" => ok(&*cx.layout(output).ok()?)?,
        "range_next" => range(cx, first?, output)?,
        "slice_next" => slice(cx, first?)?,
        "memchr" | "memrchr" => option(&*cx.layout(output).ok()?)?,
        _ => Box::default(),
    };
    Some((interp::models::find(name)?, consts))
}

/// Offset, size and value of the tag of `Result::Ok`.
fn ok(layout: &TyLayout) -> Option<Box<[u64]>> {
    Some(tag(layout, 0)?.into())
}

/// Offset, size and value of the tag of `Option::None`, the tag of `Some`, and the offset of its field.
fn option(layout: &TyLayout) -> Option<Box<[u64]>> {
    let ([offset, size, none], [_, _, some]) = (tag(layout, 0)?, tag(layout, 1)?);
    Some([offset, size, none, some, layout.field(1, 0).ok()?].into())
}

fn tag(layout: &TyLayout, variant: u32) -> Option<[u64; 3]> {
    let Variants::Multiple { offset, size, encoding, .. } = &layout.variants else { return None };
    let value = match encoding {
        Encoding::Direct(values) => *values.get(variant as usize)?,
        Encoding::Niche { first, last, start, .. } if (*first..=*last).contains(&variant) => {
            start.wrapping_add(u128::from(variant - first)) & tag_mask(*size)
        }
        Encoding::Niche { .. } => return None,
    };
    Some([*offset, u64::from(*size), u64::try_from(value).ok()?])
}

/// Offsets of the mutable fields of std's SipHash, and its numbers of rounds.
fn sip<'db>(cx: &mut TypeCx<'db>, pointer: Ty<'db>) -> Option<Box<[u64]>> {
    let hasher = pointee(pointer)?;
    let (state, state_ty) = field(cx, hasher, "state")?;
    for (name, offset) in [("v0", 0), ("v2", 8), ("v1", 16), ("v3", 24)] {
        if field(cx, state_ty, name)?.0 != offset {
            return None;
        }
    }
    let rest = ["length", "tail", "ntail"].map(|name| field(cx, hasher, name).map(|(offset, _)| offset));
    let [Some(length), Some(tail), Some(ntail)] = rest else { return None };
    let (_, args) = hasher.as_adt()?;
    let (AdtId::StructId(rounds), _) = args.types().next()?.as_adt()? else { return None };
    let (word, end) = match StructSignature::of(cx.db, rounds).name.as_str() {
        "Sip13Rounds" => (1, 3),
        "Sip24Rounds" => (2, 4),
        _ => return None,
    };
    Some([state, length, tail, ntail, word, end].into())
}

/// As for [`option`]; the offsets of `start` and `end` of a range of integers; the size and signedness of the integer
/// type.
fn range<'db>(cx: &mut TypeCx<'db>, pointer: Ty<'db>, output: Ty<'db>) -> Option<Box<[u64]>> {
    let range = pointee(pointer)?;
    let ((start, integer), (end, _)) = (field(cx, range, "start")?, field(cx, range, "end")?);
    let is_signed = match integer.kind() {
        TyKind::Int(_) => true,
        TyKind::Uint(_) => false,
        _ => return None,
    };
    let size = cx.layout(integer).ok()?.size;
    let option = option(&*cx.layout(output).ok()?)?;
    (size <= 8).then(|| option.into_iter().chain([start, end, size, u64::from(is_signed)]).collect())
}

/// Offsets of the next element's address and of the end in a slice iterator; the size of an element.
fn slice<'db>(cx: &mut TypeCx<'db>, pointer: Ty<'db>) -> Option<Box<[u64]>> {
    let iter = pointee(pointer)?;
    let (_, args) = iter.as_adt()?;
    let element = args.types().next()?;
    let ((next, _), (end, _)) = (field(cx, iter, "ptr")?, field(cx, iter, "end_or_len")?);
    Some([next, end, cx.layout(element).ok()?.size].into())
}

/// Offset and type of a field.
fn field<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, name: &str) -> Option<(u64, Ty<'db>)> {
    let (AdtId::StructId(id), _) = ty.as_adt()? else { return None };
    let index = id.fields(cx.db).fields().iter().position(|(_, field)| field.name.as_str() == name)?;
    let offset = cx.layout(ty).ok()?.field(0, index as u32).ok()?;
    Some((offset, *cx.fields(ty, 0).get(index)?))
}
