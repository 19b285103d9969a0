//! Which values that a type has no use for stand for the variants of an enum around it.
//!
//! rust-analyzer's copy of rustc's layouts is newer than the rustc whose programs are interpreted: where only one value is needed
//! it takes the one nearest to zero, rustc the next one as for several. Nothing else of a layout depends on that choice.

use super::{program::Program, types};
use hir_def::layout::{FieldsShape, TagEncoding, WrappingRange};
use hir_ty::{
    layout::{Layout, Variants},
    next_solver::{Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;
use std::ops::Deref;

/// The tag of the first variant that the niche of `data`, rust-analyzer's layout of `ty`, stands for.
pub(super) fn start<'db>(program: &mut Program<'db>, ty: Ty<'db>, data: &Layout) -> Option<u128> {
    Some(reserved(program, ty, data)?.0)
}

fn reserved<'db>(program: &mut Program<'db>, ty: Ty<'db>, data: &Layout) -> Option<(u128, WrappingRange)> {
    let Variants::Multiple { tag, tag_encoding, tag_field, variants } = &data.variants else { return None };
    let TagEncoding::Niche { untagged_variant, niche_variants, .. } = tag_encoding else { return None };
    let target = program.db.target_data_layout_or_default(program.krate);
    let tag_index = u32::from(tag_field.0.into_raw()) as usize;
    let offset = data.fields.offset(tag_index).bytes();
    let used = of_fields(program, ty, untagged_variant.0 as u32, &variants[*untagged_variant].fields, offset, None)?;
    let count = niche_variants.end().0 - niche_variants.start().0 + 1;
    Some(reserve(used, tag.size(target).unsigned_int_max(), count as u128))
}

/// As rustc's `Niche::reserve`: the first of `count` values next to those in use, and all in use then.
fn reserve(used: WrappingRange, mask: u128, count: u128) -> (u128, WrappingRange) {
    let end = used.end.wrapping_add(count) & mask;
    let is_below = match used.start {
        start if start > used.end => false,
        start if start <= mask - used.end => count <= start,
        _ => (1..=used.end).contains(&end),
    };
    if is_below {
        let start = used.start.wrapping_sub(count) & mask;
        return (start, WrappingRange { start, ..used });
    }
    (used.end.wrapping_add(1) & mask, WrappingRange { end, ..used })
}

/// The values in use of the scalar at `offset` of a type that has its niche there.
fn in_use<'db>(program: &mut Program<'db>, ty: Ty<'db>, offset: u64) -> Option<WrappingRange> {
    let data = layout(program, ty)?;
    let own = data.largest_niche.filter(|it| it.offset.bytes() == offset)?.valid_range;
    match (&data.variants, ty.kind()) {
        (Variants::Multiple { tag_encoding: TagEncoding::Niche { .. }, .. }, _) => {
            Some(reserved(program, ty, &data)?.1)
        }
        (_, TyKind::Array(element, _)) => in_use(program, element, offset),
        (Variants::Single { index }, TyKind::Adt(..) | TyKind::Tuple(_) | TyKind::Closure(..)) => {
            of_fields(program, ty, index.0 as u32, &data.fields, offset, Some(own)).or(Some(own))
        }
        _ => Some(own),
    }
}

/// The same of a variant's field that lies there, unless the type around it has use for `own`, others than its field.
fn of_fields<'db>(
    program: &mut Program<'db>,
    ty: Ty<'db>,
    variant: u32,
    shape: &FieldsShape<hir_ty::layout::RustcFieldIdx>,
    offset: u64,
    own: Option<WrappingRange>,
) -> Option<WrappingRange> {
    let FieldsShape::Arbitrary { offsets, .. } = shape else { return None };
    let fields = types::fields(program, ty, variant).into_iter().zip(offsets);
    fields.filter_map(|(field, start)| Some((field, offset.checked_sub(start.bytes())?))).find_map(|(field, inside)| {
        let niche = layout(program, field)?.largest_niche?;
        let is_it = niche.offset.bytes() == inside && own.is_none_or(|own| own == niche.valid_range);
        is_it.then(|| in_use(program, field, inside))?
    })
}

fn layout<'db>(program: &Program<'db>, ty: Ty<'db>) -> Option<impl Deref<Target = Layout> + use<>> {
    program.db.layout_of_ty(ty.store(), program.env().store()).ok()
}
