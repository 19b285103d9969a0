//! serde's `Serialize`: what the real derive does, except for what is flattened or has its tag inside or beside it.

use super::{
    Call,
    read::{Adt, Field, Variant, with},
    serde::{OfField, OfType, WRITES, bounds, not_expanded, of_field, of_type, of_variant},
    tokens::Quote,
};
use ra_ap_tt::TopSubtree;

pub(super) fn serialize(call: &Call<'_>) -> Result<TopSubtree, String> {
    with(call, |adt, quote| {
        let bounds = bounds(adt, WRITES)?;
        let writer = Writer { adt, bounds: bounds.clone() };
        let body = writer.body(quote).unwrap_or_else(|| not_expanded("Serialize"));
        Ok(format!(
            "__impl ::serde::Serialize for __type where __own {bounds} {{ fn serialize<__S: ::serde::Serializer>(&self, __serializer: __S) \
             -> ::core::result::Result<__S::Ok, __S::Error> {{ {body} }} }}"
        ))
    })
}

struct Writer<'t, 'a> {
    adt: &'t Adt<'a>,
    bounds: String,
}

/// A field that is written, and its number among all.
struct Written<'t, 'a> {
    index: usize,
    field: &'t Field<'a>,
    of: OfField,
}

impl<'a> Writer<'_, 'a> {
    /// The body of `serialize`; `None` if the form is not known.
    fn body(&self, quote: &mut Quote<'a>) -> Option<String> {
        let of = of_type(self.adt)?;
        if let Some(into) = &of.into {
            return Some(format!(
                "::serde::Serialize::serialize(&::core::convert::Into::<{into}>::into(::core::clone::Clone::clone(self)), __serializer)"
            ));
        }
        if of.has_content || self.adt.is_enum && of.tag.is_some() {
            return None;
        }
        let mut arms = String::new();
        for (index, variant) in self.adt.variants.iter().enumerate() {
            let path = self.adt.path(variant, quote);
            if self.adt.is_enum && of_variant(variant)?.skips_writing {
                let text = format!(
                    "the enum variant {}::{} cannot be serialized",
                    self.adt.name.ident().unwrap_or_default(),
                    variant.name.ident().unwrap_or_default()
                );
                arms +=
                    &format!("{path} {{ .. }} => ::core::result::Result::Err(::serde::ser::Error::custom({text:?})),");
                continue;
            }
            let value = self.variant(&of, index, variant, quote)?;
            arms += &format!("{path} {} => {value},", variant.references());
        }
        Some(format!("match *self {{ {arms} }}"))
    }

    /// The expression that writes a variant, or a struct.
    fn variant(&self, of: &OfType, index: usize, variant: &Variant<'a>, quote: &mut Quote<'a>) -> Option<String> {
        let name = of.name(self.adt, WRITES);
        let is_enum = self.adt.is_enum;
        let (mut own, mut style) = (String::new(), of.style(WRITES));
        if is_enum {
            let of_variant = of_variant(variant)?;
            if of_variant.writes_with.is_some() || of_variant.is_untagged {
                return None;
            }
            own = of_variant.written(variant, style.as_deref())?;
            style = of_variant.style(WRITES).or_else(|| of.all_fields_style(WRITES));
        }
        let mut fields = Vec::new();
        for (index, field) in variant.fields.iter().enumerate() {
            fields.push(Written { index, field, of: of_field(field, style.as_deref())? });
        }
        if fields.iter().any(|it| it.of.is_flattened) {
            return None;
        }
        let value = |it: &Written<'_, 'a>, quote: &mut Quote<'a>| match &it.of.writes_with {
            None => it.field.binding(it.index),
            Some(path) => self.wrapped(it, path, quote),
        };
        if of.is_transparent {
            let is_mark = |it: &&Written<'_, 'a>| it.field.ty.iter().any(|it| it.is_ident("PhantomData"));
            let mut shown = fields.iter().filter(|it| !is_mark(it) && !it.of.skips_writing);
            let only = shown.next()?;
            return Some(format!("::serde::Serialize::serialize({}, __serializer)", value(only, quote)));
        }
        let (suffix, which) = match (is_enum && !of.is_untagged, is_enum) {
            (true, _) => ("variant", format!(", {index}u32, {own:?}")),
            (false, _) => ("struct", String::new()),
        };
        let start = |kind: &str, rest: &str| {
            format!("::serde::Serializer::serialize_{kind}{suffix}(__serializer, {name:?}{which}{rest})")
        };
        let is_newtype = !variant.is_record && fields.len() == 1;
        if variant.is_unit {
            return Some(match of.is_untagged && is_enum {
                true => "::serde::Serializer::serialize_unit(__serializer)".to_owned(),
                false => start("unit_", ""),
            });
        }
        if is_newtype {
            let value = value(&fields[0], quote);
            return Some(match of.is_untagged && is_enum {
                true => format!("::serde::Serialize::serialize({value}, __serializer)"),
                false => start("newtype_", &format!(", {value}")),
            });
        }
        let is_sequence = of.is_untagged && is_enum && !variant.is_record;
        let (kind, shape) = match (variant.is_record, is_enum && !of.is_untagged) {
            (true, false) => ("", "SerializeStruct"),
            (true, true) => ("struct_", "SerializeStructVariant"),
            (false, _) if is_sequence => ("tuple", "SerializeTuple"),
            (false, false) => ("tuple_", "SerializeTupleStruct"),
            (false, true) => ("tuple_", "SerializeTupleVariant"),
        };
        let method = if is_sequence { "serialize_element" } else { "serialize_field" };
        let shown: Vec<&Written<'_, 'a>> = fields.iter().filter(|it| !it.of.skips_writing).collect();
        let (mut count, mut text) = (String::from("0usize"), String::new());
        // The tag of a struct is its first field.
        if let Some(tag) = &of.tag {
            count += "+ 1usize";
            text += &format!("::serde::ser::{shape}::serialize_field(&mut __state, {tag:?}, {name:?})?;");
        }
        for it in &shown {
            let binding = it.field.binding(it.index);
            let key = it.of.written(it.field, it.index);
            let quoted = if variant.is_record { format!("{key:?}, ") } else { String::new() };
            let write = format!("::serde::ser::{shape}::{method}(&mut __state, {quoted}{})?;", value(it, quote));
            match (&it.of.skips_writing_if, variant.is_record) {
                (Some(path), true) => {
                    count += &format!("+ if {path}({binding}) {{ 0usize }} else {{ 1usize }}");
                    text += &format!(
                        "if {path}({binding}) {{ ::serde::ser::{shape}::skip_field(&mut __state, {key:?})?; }} else {{ {write} }}"
                    );
                }
                (Some(path), false) => {
                    count += &format!("+ if {path}({binding}) {{ 0usize }} else {{ 1usize }}");
                    text += &format!("if !{path}({binding}) {{ {write} }}");
                }
                (None, _) => {
                    count += "+ 1usize";
                    text += &write;
                }
            }
        }
        let start = match is_sequence {
            true => format!("::serde::Serializer::serialize_tuple(__serializer, {count})"),
            false => start(kind, &format!(", {count}")),
        };
        Some(format!("{{ let mut __state = {start}?; {text} ::serde::ser::{shape}::end(__state) }}"))
    }

    /// A value that a function of the user writes.
    fn wrapped(&self, it: &Written<'_, 'a>, path: &str, quote: &mut Quote<'a>) -> String {
        let (ty, binding, bounds) = (quote.of(&it.field.ty), it.field.binding(it.index), &self.bounds);
        format!(
            "{{ struct __With<'__a, __params> where __own {{ __value: &'__a ({ty}), \
             __marker: ::core::marker::PhantomData<__type> }} \
             impl<'__a, __params> ::serde::Serialize for __With<'__a, __arguments> where __own {bounds} {{ \
             fn serialize<__S: ::serde::Serializer>(&self, __serializer: __S) -> ::core::result::Result<__S::Ok, __S::Error> \
             {{ {path}(self.__value, __serializer) }} }} \
             &__With {{ __value: {binding}, __marker: ::core::marker::PhantomData::<__type> }} }}"
        )
    }
}
