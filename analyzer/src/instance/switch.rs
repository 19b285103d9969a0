//! Branches on the variant of an enum.

use super::{
    builder::{FnBuilder, Label},
    cx::Cx,
    place::{self, PlaceVal},
};
use crate::types::{Encoding, Unsupported, Variants, tag_mask};
use interp::ir::Instr;

/// Jumps to the label of the place's variant, or to `default`.
pub fn by_variant<'db>(
    cx: &mut Cx<'_, 'db>,
    b: &mut FnBuilder,
    place: &PlaceVal<'db>,
    table: &[(u32, Label)],
    default: Label,
) -> Result<(), Unsupported> {
    let layout = cx.layout(place.ty)?;
    let target = |variant: u32| table.iter().find(|(index, _)| *index == variant).map_or(default, |(_, to)| *to);
    match &layout.variants {
        Variants::Empty => {
            b.push(Instr::Unreachable);
        }
        Variants::Single(index) => b.jump(target(*index)),
        Variants::Multiple { offset, size, encoding, .. } => {
            let src = place::tag(b, place, *offset, *size)?;
            let mask = tag_mask(*size);
            let (entries, default) = match encoding {
                Encoding::Direct(values) => {
                    let entry = |&(variant, to): &(u32, Label)| {
                        let value = values.get(variant as usize).copied().unwrap_or(variant.into());
                        (value & mask, to.pc())
                    };
                    (table.iter().map(entry).collect::<Vec<_>>(), default)
                }
                Encoding::Niche { untagged, first, last, start } => {
                    let untagged_target = target(*untagged);
                    let entries = (*first..=*last)
                        .filter(|variant| variant != untagged && target(*variant) != untagged_target)
                        .map(|variant| {
                            let value = start.wrapping_add(u128::from(variant - first)) & mask;
                            (value, target(variant).pc())
                        });
                    (entries.collect(), untagged_target)
                }
            };
            b.push(Instr::Switch { src, size: *size as u8, table: entries.into(), default: default.pc() });
        }
    }
    Ok(())
}
