//! Sizes, alignments, field offsets and tags of concrete types.
//!
//! rust-analyzer computes them like rustc, except for four kinds of types. These, and all types that contain one by
//! value, are laid out here:
//! * a coroutine is its captures followed by the machine's handle word (rust-analyzer: only the captures);
//! * a struct whose last field may be unsized keeps that field last even if it is sized (see [`unsized_tails`]);
//! * an enum with a discriminant that rust-analyzer cannot evaluate (see [`discriminants`]);
//! * a pointer to a struct whose last field has an associated type is as wide as a pointer to that type (see
//!   [`hidden_tails`]).
//!
//! These layouts have no niches, so sizes may differ from rustc's (see [`super::inexact_layouts`]).

use super::{Meta, TypeCx, Unsupported, fields::upvars};
use crate::workarounds::{discriminants, hidden_tails, infinite_types, niches, unsized_tails};
use hir_def::{
    AdtId,
    attrs::AttrFlags,
    layout::{FieldsShape, HasDataLayout, TagEncoding, TargetDataLayout},
};
use hir_ty::{
    layout::{Layout, Variants as RaVariants},
    next_solver::{Ty, TyKind},
};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_type_ir::inherent::IntoKind;
use std::rc::Rc;

/// Size and alignment of a coroutine's handle word.
const HANDLE: u64 = 8;

/// Layout of a concrete type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TyLayout {
    /// Size in bytes; for an unsized type, the size of the sized prefix.
    pub size: u64,
    /// Alignment in bytes; for an unsized type, the alignment of the sized prefix.
    pub align: u64,
    /// Field offsets in declaration order, of a struct, tuple or union; offsets of the captures of a closure or
    /// coroutine.
    pub fields: Box<[u64]>,
    /// Distance between elements of an array, slice or `str`.
    pub stride: u64,
    /// How the variant is encoded.
    pub variants: Variants,
    /// Offset of a coroutine's handle word.
    pub handle: Option<u64>,
}

/// How the variant of an enum is encoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Variants {
    /// Not an enum, or an enum with one inhabited variant: its index. Its fields are in [`TyLayout::fields`].
    Single(u32),
    /// All variants are uninhabited.
    Empty,
    /// By a tag.
    Multiple {
        /// Offset of the tag.
        offset: u64,
        /// Its size in bytes.
        size: u32,
        /// Whether the tag is sign-extended to get the discriminant.
        signed: bool,
        /// How the tag encodes the variant.
        encoding: Encoding,
        /// Field offsets by variant.
        fields: Box<[Box<[u64]>]>,
    },
}

/// How a tag encodes the variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// The tag is the discriminant: by variant, its value truncated to the tag's size.
    Direct(Box<[u128]>),
    /// Variants `first..=last` have the tags `start..` (wrapping); every other tag means `untagged`.
    Niche {
        /// The variant whose payload has the niche.
        untagged: u32,
        /// First variant in the niche.
        first: u32,
        /// Last variant in the niche.
        last: u32,
        /// Tag of the first variant.
        start: u128,
    },
}

impl TyLayout {
    fn new(size: u64, align: u64, fields: Vec<u64>) -> Self {
        TyLayout { size, align, fields: fields.into(), stride: 0, variants: Variants::Single(0), handle: None }
    }

    /// Size, if it fits into a frame.
    pub fn size32(&self) -> Result<u32, Unsupported> {
        u32::try_from(self.size)
            .ok()
            .filter(|&size| size <= 64 << 20)
            .ok_or_else(|| Unsupported::from("type is too large"))
    }

    /// Alignment.
    pub fn align32(&self) -> u32 {
        self.align as u32
    }

    /// Offset of a field of a variant. `variant` is 0 for types other than enums.
    pub fn field(&self, variant: u32, field: u32) -> Result<u64, Unsupported> {
        let fields = match &self.variants {
            Variants::Multiple { fields, .. } => fields.get(variant as usize),
            _ => Some(&self.fields),
        };
        // An uninhabited variant has no offsets, and nothing ever reads its fields.
        Ok(fields.and_then(|fields| fields.get(field as usize)).copied().unwrap_or(0))
    }
}

/// Mask for a tag of `size` bytes.
pub fn tag_mask(size: u32) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (size * 8)) - 1 }
}

impl<'db> TypeCx<'db> {
    /// Layout of a concrete type, cached.
    pub fn layout(&mut self, ty: Ty<'db>) -> Result<Rc<TyLayout>, Unsupported> {
        if let Some(known) = self.layouts.get(&ty) {
            return known.clone();
        }
        let made = match infinite_types::is_finite(self, ty) {
            false => Err(format!("no layout of `{}`: its size is infinite", self.type_name(ty)).into()),
            true => match hidden_tails::with_tail_pointers(self, ty) {
                ty if self.is_own_layout(ty) => self.own_layout(ty),
                ty => self.ra_layout(ty),
            },
        };
        let made = made.map(Rc::new);
        self.layouts.insert(ty, made.clone());
        made
    }

    fn ra_layout(&mut self, ty: Ty<'db>) -> Result<TyLayout, Unsupported> {
        let env = self.env().store();
        let data = self
            .db
            .layout_of_ty(ty.store(), env)
            .map_err(|err| Unsupported::from(format!("no layout of `{}`: {err}", self.type_name(ty))))?;
        let target = self.db.target_data_layout_or_default(self.krate);
        self.convert(ty, &data, target)
    }
}

/// Field offsets in a layout of rust-analyzer.
pub(crate) fn offsets(data: &Layout) -> Box<[u64]> {
    match &data.fields {
        FieldsShape::Primitive | FieldsShape::Array { .. } => Box::new([]),
        FieldsShape::Union(count) => vec![0; count.get()].into(),
        FieldsShape::Arbitrary { offsets, .. } => offsets.iter().map(|offset| offset.bytes()).collect(),
    }
}

impl<'db> TypeCx<'db> {
    fn convert(&mut self, ty: Ty<'db>, data: &Layout, target: &TargetDataLayout) -> Result<TyLayout, Unsupported> {
        let stride = match data.fields {
            FieldsShape::Array { stride, .. } => stride.bytes(),
            _ => 0,
        };
        let variants = match &data.variants {
            RaVariants::Empty => Variants::Empty,
            RaVariants::Single { index } => Variants::Single(index.0 as u32),
            RaVariants::Multiple { tag, tag_encoding, tag_field, variants } => {
                let size = tag.size(target.data_layout()).bytes() as u32;
                let encoding = match tag_encoding {
                    TagEncoding::Direct => Encoding::Direct(self.tags(ty, size)?),
                    TagEncoding::Niche { untagged_variant, niche_variants, niche_start } => Encoding::Niche {
                        untagged: untagged_variant.0 as u32,
                        first: niche_variants.start().0 as u32,
                        last: niche_variants.end().0 as u32,
                        start: niches::start(self, ty, data, target).unwrap_or(*niche_start),
                    },
                };
                let tag_index = u32::from(tag_field.0.into_raw()) as usize;
                Variants::Multiple {
                    offset: data.fields.offset(tag_index).bytes(),
                    size,
                    signed: matches!(tag.primitive(), hir_def::layout::Primitive::Int(_, true)),
                    encoding,
                    fields: variants.iter().map(offsets).collect(),
                }
            }
        };
        Ok(TyLayout {
            size: data.size.bytes(),
            align: data.align.abi.bytes(),
            fields: offsets(data),
            stride,
            variants,
            handle: None,
        })
    }

    /// Discriminants of an enum by variant, truncated to the tag's size.
    fn tags(&self, ty: Ty<'db>, size: u32) -> Result<Box<[u128]>, Unsupported> {
        let Some((AdtId::EnumId(id), _)) = ty.as_adt() else { return Ok(Box::new([])) };
        let values = discriminants::of_enum(self.db, id).into_iter();
        values.map(|value| Ok(value.ok_or("unknown discriminant")? as u128 & tag_mask(size))).collect()
    }

    /// Whether a type's layout is computed here.
    pub(super) fn is_own_layout(&mut self, ty: Ty<'db>) -> bool {
        match ty.kind() {
            TyKind::Coroutine(..) => true,
            TyKind::Ref(_, pointee, _) | TyKind::RawPtr(pointee, _) => {
                hidden_tails::hidden_tail(self, pointee).is_some()
            }
            TyKind::Pat(base, _) => self.is_own_layout(base),
            TyKind::Array(elem, _) | TyKind::Slice(elem) => self.is_own_layout(elem),
            TyKind::Tuple(tys) => {
                if let Some(&known) = self.own_layout.get(&ty) {
                    return known;
                }
                let answer = tys.iter().any(|ty| self.is_own_layout(ty));
                self.own_layout.insert(ty, answer);
                answer
            }
            TyKind::Closure(..) | TyKind::CoroutineClosure(..) => upvars(ty).is_some_and(|tuple| {
                let tuple = self.normalize(tuple);
                self.is_own_layout(tuple)
            }),
            TyKind::Adt(def, _) => {
                if let Some(&known) = self.own_layout.get(&ty) {
                    return known;
                }
                // Ends the recursion for ill-formed types that contain themselves.
                self.own_layout.insert(ty, false);
                let adt = def.def_id();
                let has_others = matches!(adt, AdtId::EnumId(id) if !discriminants::are_known_to_ra(self.db, id));
                let answer = has_others
                    || unsized_tails::may_have_one(self, adt)
                    || (0..self.variant_count(adt))
                        .any(|variant| self.fields(ty, variant).into_iter().any(|field| self.is_own_layout(field)));
                self.own_layout.insert(ty, answer);
                answer
            }
            _ => false,
        }
    }

    fn own_layout(&mut self, ty: Ty<'db>) -> Result<TyLayout, Unsupported> {
        match ty.kind() {
            TyKind::Coroutine(..) => {
                let tuple = upvars(ty).map(|tuple| self.normalize(tuple));
                let captures = self.layout(tuple.ok_or("coroutine without captures")?)?;
                let handle = captures.size.next_multiple_of(HANDLE);
                let align = captures.align.max(HANDLE);
                Ok(TyLayout {
                    size: (handle + HANDLE).next_multiple_of(align),
                    align,
                    handle: Some(handle),
                    ..(*captures).clone()
                })
            }
            TyKind::Ref(..) | TyKind::RawPtr(..) => {
                let pointer = hidden_tails::pointer_to_tail(self, ty);
                Ok((*self.layout(pointer)?).clone())
            }
            TyKind::Pat(base, _) => Ok((*self.layout(base)?).clone()),
            TyKind::Closure(..) | TyKind::CoroutineClosure(..) => {
                let tuple = upvars(ty).map(|tuple| self.normalize(tuple));
                Ok((*self.layout(tuple.ok_or("closure without captures")?)?).clone())
            }
            TyKind::Array(elem, len) => {
                let elem = self.layout(elem)?;
                let len = self.array_len(len).ok_or("unknown array length")?;
                let size = elem.size.checked_mul(len).ok_or("type is too large")?;
                Ok(TyLayout { stride: elem.size, ..TyLayout::new(size, elem.align, Vec::new()) })
            }
            TyKind::Slice(elem) => {
                let elem = self.layout(elem)?;
                Ok(TyLayout { stride: elem.size, ..TyLayout::new(0, elem.align, Vec::new()) })
            }
            TyKind::Tuple(tys) => {
                let fields: Vec<_> = tys.iter().collect();
                self.product(&fields, 0, Order::KeepLast, None)
            }
            TyKind::Adt(def, _) => self.own_adt(ty, def.def_id()),
            _ => Err("no layout".into()),
        }
    }

    fn own_adt(&mut self, ty: Ty<'db>, adt: AdtId) -> Result<TyLayout, Unsupported> {
        let repr = AttrFlags::repr(self.db, adt).unwrap_or_default();
        let order = if repr.inhibit_struct_field_reordering() { Order::Declared } else { Order::KeepLast };
        let mut made = match adt {
            AdtId::UnionId(_) => {
                let fields = self.fields(ty, 0);
                let mut made = TyLayout::new(0, 1, vec![0; fields.len()]);
                for field in fields {
                    let field = self.layout(field)?;
                    made.size = made.size.max(field.size);
                    made.align = made.align.max(field.align);
                }
                made
            }
            AdtId::StructId(_) => {
                let fields = self.fields(ty, 0);
                self.product(&fields, 0, order, repr.pack.map(|pack| pack.bytes()))?
            }
            AdtId::EnumId(_) => self.own_enum(ty, adt, order)?,
        };
        if let Some(align) = repr.align {
            made.align = made.align.max(align.bytes());
        }
        if let Some(pack) = repr.pack {
            made.align = made.align.min(pack.bytes());
        }
        made.size = made.size.next_multiple_of(made.align);
        Ok(made)
    }

    fn own_enum(&mut self, ty: Ty<'db>, adt: AdtId, order: Order) -> Result<TyLayout, Unsupported> {
        let count = self.variant_count(adt);
        if count == 0 {
            return Ok(TyLayout { variants: Variants::Empty, ..TyLayout::new(0, 1, Vec::new()) });
        }
        let values = self.tags(ty, 16)?;
        let repr = AttrFlags::repr(self.db, adt).unwrap_or_default();
        if count == 1 && repr.int.is_none() && !repr.c() {
            let fields = self.fields(ty, 0);
            return Ok(TyLayout { variants: Variants::Single(0), ..self.product(&fields, 0, order, None)? });
        }
        let is_signed = match repr.int {
            Some(int) => int.is_signed(),
            None => values.iter().any(|&value| (value as i128) < 0),
        };
        let fits = |bits: u32| {
            let range = if is_signed { -(1 << (bits - 1))..1 << (bits - 1) } else { 0..1 << bits };
            values.iter().all(|&value| range.contains(&(value as i128)))
        };
        let size: u32 = match repr.int {
            Some(int) => hir_def::layout::Integer::from_attr(self.db.target_data_layout_or_default(self.krate), int)
                .size()
                .bytes() as u32,
            None if repr.c() => 4,
            None if fits(8) => 1,
            None if fits(16) => 2,
            None if fits(32) => 4,
            None => 8,
        };
        let mut made = TyLayout::new(u64::from(size), u64::from(size), Vec::new());
        let mut offsets = Vec::new();
        for variant in 0..count {
            let fields = self.fields(ty, variant);
            let part = self.product(&fields, u64::from(size), order, None)?;
            made.size = made.size.max(part.size);
            made.align = made.align.max(part.align);
            offsets.push(part.fields);
        }
        made.variants = Variants::Multiple {
            offset: 0,
            size,
            signed: is_signed,
            encoding: Encoding::Direct(values.iter().map(|value| value & tag_mask(size)).collect()),
            fields: offsets.into(),
        };
        Ok(made)
    }
}

/// The order of fields in a product type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As declared.
    Declared,
    /// The last field stays last, so its offset does not depend on the order of the others. The others are sorted by
    /// descending alignment.
    KeepLast,
}

impl<'db> TypeCx<'db> {
    /// Lays out fields after `prefix` bytes, with alignment bounded by `pack`.
    fn product(
        &mut self,
        fields: &[Ty<'db>],
        prefix: u64,
        order: Order,
        pack: Option<u64>,
    ) -> Result<TyLayout, Unsupported> {
        let mut layouts = Vec::new();
        for &field in fields {
            layouts.push(self.layout(field)?);
        }
        let align = |field: &TyLayout| field.align.min(pack.unwrap_or(u64::MAX));
        let mut indices: Vec<usize> = (0..fields.len()).collect();
        if order == Order::KeepLast && !indices.is_empty() {
            let last = indices.len() - 1;
            indices[..last].sort_by_key(|&index| std::cmp::Reverse(align(&layouts[index])));
        }
        let mut made = TyLayout::new(prefix, 1, vec![0; fields.len()]);
        for index in indices {
            let field = &layouts[index];
            let offset = made.size.next_multiple_of(align(field));
            made.fields[index] = offset;
            made.size = offset + field.size;
            made.align = made.align.max(align(field));
        }
        // The offset of a `dyn` tail depends on its alignment, so do not pad the prefix.
        let sized = match fields.last() {
            Some(&last) => self.meta(last) == Meta::Thin,
            None => true,
        };
        if sized {
            made.size = made.size.next_multiple_of(made.align);
        }
        Ok(made)
    }
}
