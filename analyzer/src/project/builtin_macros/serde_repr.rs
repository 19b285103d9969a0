//! serde_repr: enums that are written and read as their numbers.

use super::{
    Call,
    read::{Adt, attribute, with},
    tokens::Quote,
};
use ra_ap_tt::TopSubtree;

pub(super) fn serialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (number, paths) = parts(adt, quote)?;
        let arms: String = paths.iter().map(|it| format!("{it} => {it} as {number},")).collect();
        Ok(format!(
            "__impl ::serde::Serialize for __type where __own {{ \
             fn serialize<__S: ::serde::Serializer>(&self, __serializer: __S) -> ::core::result::Result<__S::Ok, __S::Error> {{ \
             let __value: {number} = match *self {{ {arms} }}; ::serde::Serialize::serialize(&__value, __serializer) }} }}"
        ))
    })
}

pub(super) fn deserialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let (number, paths) = parts(adt, quote)?;
        let is_other =
            |attributes| attribute(attributes, "serde").is_some_and(|it| it.iter().any(|it| it.is_ident("other")));
        let arms: String = paths
            .iter()
            .map(|it| format!("__other if __other == {it} as {number} => ::core::result::Result::Ok({it}),"))
            .collect();
        let other = match adt.variants.iter().position(|it| is_other(&it.attributes)) {
            Some(index) => format!("::core::result::Result::Ok({})", paths[index]),
            None => {
                let expected = match paths.len() {
                    1 => "{}".to_owned(),
                    2 => "{} or {}".to_owned(),
                    count => format!("one of: {{}}{}", ", {}".repeat(count.saturating_sub(1))),
                };
                let numbers: String = paths.iter().map(|it| format!(", {it} as {number}")).collect();
                format!(
                    "::core::result::Result::Err(::serde::de::Error::custom(\
                     ::core::format_args!(\"invalid value: {{}}, expected {expected}\", __other {numbers})))"
                )
            }
        };
        Ok(format!(
            "impl<'de> ::serde::Deserialize<'de> for __type where __own {{ \
             fn deserialize<__D: ::serde::Deserializer<'de>>(__deserializer: __D) -> ::core::result::Result<Self, __D::Error> {{ \
             match <{number} as ::serde::Deserialize>::deserialize(__deserializer)? {{ {arms} __other => {other}, }} }} }}"
        ))
    })
}

/// The type of the numbers, and the paths of the variants.
fn parts<'a>(adt: &Adt<'a>, quote: &mut Quote<'a>) -> Result<(String, Vec<String>), String> {
    if !adt.is_enum || adt.generics.has_types() || adt.variants.iter().any(|it| !it.is_unit) {
        return Err("its variants".to_owned());
    }
    let words = attribute(&adt.attributes, "repr").unwrap_or_default();
    let is_number =
        |it: &&str| it.strip_prefix(['u', 'i']).is_some_and(|it| ["8", "16", "32", "64", "128", "size"].contains(&it));
    let number = words.iter().filter_map(|it| it.ident()).find(is_number).ok_or("its `repr`")?;
    Ok((number.to_owned(), adt.variants.iter().map(|it| adt.path(it, quote)).collect()))
}
