//! Tag values of enums that store their tag in a niche.
//!
//! * Symptom: `None` has another bit pattern than in compiled programs, which is visible to code that inspects bytes.
//! * Test: `layout/niche_of_one`, `layout/values_of_niches`.
//! * Upstream: none known.
//! * Goes when: the toolchain uses the same rule.
//!
//! rust-analyzer's copy of rustc's layout code is newer than the toolchain: for a single value it picks the one
//! nearest to zero. rustc 1.95 picks the value before the first or after the last valid one, whichever is in the
//! direction of zero. The niche that remains for an enclosing enum depends on it, so the valid ranges are computed
//! through the fields.

use crate::types::{TypeCx, offsets};
use hir_def::layout::{HasDataLayout, Niche, TargetDataLayout};
use hir_ty::{
    layout::{Layout, TagEncoding, Variants},
    next_solver::{Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;

/// The valid range of a scalar: first and last value (wrapping) and the maximum of its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ValueRange {
    first: u128,
    last: u128,
    max: u128,
}

impl ValueRange {
    fn new(niche: &Niche, target: &TargetDataLayout) -> Self {
        let max = niche.value.size(target.data_layout()).unsigned_int_max();
        ValueRange { first: niche.valid_range.start, last: niche.valid_range.end, max }
    }

    /// Reserves `count` more values. Returns the first of them and the new range.
    fn reserve(self, count: u128) -> (u128, ValueRange) {
        let ValueRange { first, last, max } = self;
        let is_before = if first > last {
            false
        } else if first <= max - last {
            count <= first
        } else {
            (1..=last).contains(&(last.wrapping_add(count) & max))
        };
        if is_before {
            let first = first.wrapping_sub(count) & max;
            (first, ValueRange { first, ..self })
        } else {
            (last.wrapping_add(1) & max, ValueRange { last: last.wrapping_add(count) & max, ..self })
        }
    }
}

/// The tag value of the first variant in the niche; `None` if there is no niche, or if the valid range is unknown.
pub(crate) fn start<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, data: &Layout, target: &TargetDataLayout) -> Option<u128> {
    Some(start_and_range(cx, ty, data, target)?.0)
}

fn start_and_range<'db>(
    cx: &mut TypeCx<'db>,
    ty: Ty<'db>,
    data: &Layout,
    target: &TargetDataLayout,
) -> Option<(u128, ValueRange)> {
    let Variants::Multiple { tag_encoding, tag_field, variants, .. } = &data.variants else { return None };
    let TagEncoding::Niche { untagged_variant, niche_variants, .. } = tag_encoding else { return None };
    let tag = data.fields.offset(u32::from(tag_field.0.into_raw()) as usize).bytes();
    let untagged = untagged_variant.0;
    let fields = cx.fields(ty, untagged as u32);
    let payload = variants.iter().nth(untagged)?;
    let valid = range_in_fields(cx, &fields, &offsets(payload), tag, target)?;
    let count = niche_variants.end().0 - niche_variants.start().0 + 1;
    Some(valid.reserve(count as u128))
}

/// The valid range at an offset, in the field that is there.
fn range_in_fields<'db>(
    cx: &mut TypeCx<'db>,
    fields: &[Ty<'db>],
    offsets: &[u64],
    at: u64,
    target: &TargetDataLayout,
) -> Option<ValueRange> {
    for (&field, &offset) in fields.iter().zip(offsets) {
        let size = layout_of(cx, field)?.size.bytes();
        if (offset..offset + size).contains(&at) {
            return at_offset(cx, field, at - offset, target);
        }
    }
    None
}

fn at_offset<'db>(cx: &mut TypeCx<'db>, ty: Ty<'db>, at: u64, target: &TargetDataLayout) -> Option<ValueRange> {
    let data = layout_of(cx, ty)?;
    let niche = data.largest_niche.filter(|niche| niche.offset.bytes() == at)?;
    let own_range = ValueRange::new(&niche, target);
    let index = match &data.variants {
        Variants::Multiple { tag_encoding: TagEncoding::Niche { .. }, .. } => {
            return Some(start_and_range(cx, ty, &data, target)?.1);
        }
        Variants::Multiple { .. } | Variants::Empty => return Some(own_range),
        Variants::Single { index } => index.0 as u32,
    };
    let (fields, offsets) = match ty.kind() {
        TyKind::Array(elem, _) => (vec![elem], Box::from([0])),
        TyKind::Adt(..) | TyKind::Tuple(..) | TyKind::Closure(..) => (cx.fields(ty, index), offsets(&data)),
        _ => return Some(own_range),
    };
    for (&field, &offset) in fields.iter().zip(&offsets) {
        let inner = layout_of(cx, field)?;
        // An attribute can give a type a smaller valid range than its field's.
        if (offset..offset + inner.size.bytes()).contains(&at)
            && inner.largest_niche.is_some_and(|inner| inner.valid_range == niche.valid_range)
        {
            return at_offset(cx, field, at - offset, target);
        }
    }
    Some(own_range)
}

fn layout_of<'db>(cx: &TypeCx<'db>, ty: Ty<'db>) -> Option<impl std::ops::Deref<Target = Layout> + use<>> {
    cx.db.layout_of_ty(ty.store(), cx.env().store()).ok()
}
