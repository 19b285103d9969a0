//! Derives of zerocopy 0.7. Their traits say which bytes a type may have; only `KnownLayout` has contents. Random numbers
//! are made with it: ppv-lite86 before 0.2.21 reads bytes as vectors.

use super::{
    Call,
    read::{Adt, adt_or_union, attribute, with_adt},
    tokens::{Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// The fields that must have the trait too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounded {
    All,
    Last,
    None,
}

pub(super) fn from_zeroes(call: &Call<'_>) -> Result<TopSubtree, String> {
    derive(call, "FromZeroes", |_| (Bounded::All, String::new()))
}

pub(super) fn from_bytes(call: &Call<'_>) -> Result<TopSubtree, String> {
    derive(call, "FromBytes", |_| (Bounded::All, String::new()))
}

/// That there is no padding is not checked again.
pub(super) fn as_bytes(call: &Call<'_>) -> Result<TopSubtree, String> {
    derive(call, "AsBytes", |_| (Bounded::All, String::new()))
}

pub(super) fn unaligned(call: &Call<'_>) -> Result<TopSubtree, String> {
    derive(call, "Unaligned", |adt| {
        let is_packed = representation(adt).iter().any(|it| it.0 == "packed");
        (if is_packed { Bounded::None } else { Bounded::All }, String::new())
    })
}

pub(super) fn known_layout(call: &Call<'_>) -> Result<TopSubtree, String> {
    let is_struct = trees(call.item).iter().any(|it| it.is_ident("struct"));
    derive(call, "KnownLayout", |adt| {
        let representation = representation(adt);
        let count = adt.variants.first().map_or(0, |it| it.fields.len());
        if !is_struct || count == 0 || !representation.iter().any(|it| it.0 == "C") {
            return (
                Bounded::None,
                "const LAYOUT: ::zerocopy::DstLayout = ::zerocopy::DstLayout::for_type::<Self>();
                 fn raw_from_ptr_len(__bytes: ::core::ptr::NonNull<u8>, _: usize) -> ::core::ptr::NonNull<Self> {
                     __bytes.cast::<Self>()
                 }"
                .to_owned(),
            );
        }
        let number = |name: &str, default: &str| {
            let found = representation.iter().find(|it| it.0 == name);
            let number = found.map(|it| if it.1.is_empty() { default.to_owned() } else { it.1.clone() });
            number.map_or_else(
                || "::core::option::Option::None".to_owned(),
                |it| format!("::core::num::NonZeroUsize::new({it} as usize)"),
            )
        };
        let (align, packed) = (number("align", ""), number("packed", "1"));
        let leading: String = (0..count - 1)
            .map(|it| format!(".extend(::zerocopy::DstLayout::for_type::<__field_{it}>(), __packed)"))
            .collect();
        let last = format!("<__field_{} as ::zerocopy::KnownLayout>", count - 1);
        (
            Bounded::Last,
            format!(
                "const LAYOUT: ::zerocopy::DstLayout = {{
                     let __packed = {packed};
                     ::zerocopy::DstLayout::new_zst({align}){leading}.extend({last}::LAYOUT, __packed).pad_to_align()
                 }};
                 fn raw_from_ptr_len(__bytes: ::core::ptr::NonNull<u8>, __len: usize) -> ::core::ptr::NonNull<Self> {{
                     let __last = {last}::raw_from_ptr_len(__bytes, __len);
                     unsafe {{ ::core::ptr::NonNull::new_unchecked(__last.as_ptr() as *mut Self) }}
                 }}"
            ),
        )
    })
}

/// An impl of a trait. In the text of its further items, `__field_0` is the type of the first field.
fn derive(
    call: &Call<'_>,
    name: &str,
    items: impl FnOnce(&Adt<'_>) -> (Bounded, String),
) -> Result<TopSubtree, String> {
    let adt = adt_or_union(&trees(call.item))?;
    let (bounded, items) = items(&adt);
    with_adt(&adt, |adt, quote| {
        let types: Vec<String> = adt.variants.iter().flat_map(|it| &it.fields).map(|it| quote.of(&it.ty)).collect();
        let bounded = match bounded {
            Bounded::All => &types[..],
            Bounded::Last => &types[types.len().saturating_sub(1)..],
            Bounded::None => &[],
        };
        let bounds: String = bounded.iter().map(|it| format!("{it}: ::zerocopy::{name},")).collect();
        // The last first: `__field_1` is also how `__field_10` begins.
        let items = types
            .iter()
            .enumerate()
            .rev()
            .fold(items, |items, (index, ty)| items.replace(&format!("__field_{index}"), ty));
        Ok(format!(
            "unsafe __impl ::zerocopy::{name} for __type where __own {bounds} {{
                 fn only_derive_is_allowed_to_implement_this_trait() {{}}
                 {items}
             }}"
        ))
    })
}

/// The words of `#[repr(..)]`, each with its number.
fn representation(adt: &Adt<'_>) -> Vec<(String, String)> {
    let tokens = attribute(&adt.attributes, "repr").unwrap_or_default();
    let number = |group: Option<&Tree<'_>>| {
        let inside = trees(group?.group(DelimiterKind::Parenthesis)?);
        inside.first()?.literal()
    };
    let words = tokens
        .iter()
        .enumerate()
        .filter_map(|(index, it)| Some((it.ident()?.to_owned(), number(tokens.get(index + 1)).unwrap_or_default())));
    words.collect()
}
